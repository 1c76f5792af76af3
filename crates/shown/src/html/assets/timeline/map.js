"use strict";
// The map of the whole time above a timeline: how many threads waited for the lock, and which part is in sight.
//
//     locktoll.timeline.map(it, parent)     the map; draws itself by `it.map.paint()`, and anew after `it.map.forget()`
{
    const { parts, look } = locktoll.timeline;

    const HEIGHT = 44;

    /** The number of threads that waited, and that held, on average over each pixel. */
    function sums(it, cells) {
        const { from_ns: from, to_ns: to } = it.raw;
        const [wait, hold, part] = [0, 0, 0].map(() => new Float32Array(cells));
        for (const lanes of it.lanes) {
            for (const [lane, sum] of [[lanes.wait, wait], [lanes.hold, hold]]) {
                if (lane.n > 0) {
                    parts(lane, from, (to - from) / cells, cells, part);
                    part.forEach((each, at) => (sum[at] += each));
                }
            }
        }
        return { wait, hold };
    }

    /** The sums as a picture. It stays the same while the timeline moves. */
    function picture(it, cells, scale) {
        const { wait, hold } = sums(it, cells);
        const canvas = document.createElement("canvas");
        canvas.width = Math.max(1, Math.round(cells * scale));
        canvas.height = Math.round(HEIGHT * scale);
        const context = canvas.getContext("2d");
        context.scale(scale, scale);
        const most = Math.max(1, wait.reduce((a, b) => Math.max(a, b), 0));
        wait.forEach((part, at) => {
            const high = part > 0 ? Math.max(1, (part / most) * (HEIGHT - 6)) : 0;
            context.fillStyle = it.colours.lanes.wait;
            context.fillRect(at, HEIGHT - 4 - high, 1, high);
            context.fillStyle = it.colours.lanes.hold;
            context.fillRect(at, HEIGHT - 3, 1, hold[at] > 0 ? 3 : 0);
        });
        return { canvas, cells, most };
    }

    locktoll.timeline.map = function (it, parent) {
        const canvas = it.kit.element.into(parent, "canvas", { class: "timeline-map", "aria-hidden": "true" });
        let known = null;
        const self = {
            canvas,
            forget: () => (known = null),
            paint() {
                const { left, width, colours } = it;
                const scale = devicePixelRatio || 1;
                const cells = Math.max(1, Math.floor(width - left));
                if (!known || known.cells !== cells) {
                    known = picture(it, cells, scale);
                    canvas.width = Math.round(width * scale);
                    canvas.height = Math.round(HEIGHT * scale);
                    canvas.style.height = HEIGHT + "px";
                }
                const context = canvas.getContext("2d");
                context.setTransform(scale, 0, 0, scale, 0, 0);
                context.clearRect(0, 0, width, HEIGHT);
                context.drawImage(known.canvas, left, 0, cells, HEIGHT);
                context.fillStyle = colours.faint;
                context.font = "11px " + it.font;
                context.textAlign = "right";
                context.textBaseline = "top";
                context.fillText("waiting", left - 8, 2, left - 10);
                context.fillText("up to " + (known.most < 9.95 ? known.most.toFixed(1) : Math.round(known.most)), left - 8, 16, left - 10);
                sight(it, context, left, cells);
            },
        };
        moves(it, canvas);
        return self;
    };

    /** The part in sight. */
    function sight(it, context, left, cells) {
        const { raw, view, colours } = it;
        const x = (time) => left + ((time - raw.from_ns) / Math.max(1, raw.to_ns - raw.from_ns)) * cells;
        if (it.brush) {
            context.globalAlpha = 0.25;
            context.fillStyle = colours.accent;
            context.fillRect(x(it.brush.from), 0, Math.max(1, x(it.brush.to) - x(it.brush.from)), HEIGHT);
            context.globalAlpha = 1;
        }
        const [from, to] = [x(view.from), x(view.to)];
        context.fillStyle = colours.surface;
        context.globalAlpha = 0.6;
        context.fillRect(left, 0, from - left, HEIGHT);
        context.fillRect(to, 0, left + cells - to, HEIGHT);
        context.globalAlpha = 1;
        context.strokeStyle = colours.accent;
        context.strokeRect(from + 0.5, 0.5, Math.max(2, to - from - 1), HEIGHT - 1);
    }

    /** A press puts the middle of what is in sight there, and takes it along. */
    function moves(it, canvas) {
        const to = (event) => {
            const box = canvas.getBoundingClientRect();
            const { from_ns: first, to_ns: last } = it.raw;
            const time = first + ((event.clientX - box.left - it.left) / Math.max(1, box.width - it.left)) * (last - first);
            const half = (it.view.to - it.view.from) / 2;
            look(it, time - half, time + half);
        };
        canvas.addEventListener("pointerdown", (event) => {
            canvas.setPointerCapture(event.pointerId);
            to(event);
        });
        canvas.addEventListener("pointermove", (event) => {
            if (canvas.hasPointerCapture(event.pointerId)) {
                to(event);
            }
        });
    }
}
