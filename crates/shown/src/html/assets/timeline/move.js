"use strict";
// Moving in a timeline: with the wheel, by dragging, with two fingers, with keys.
//
//     locktoll.timeline.look(it, from, to)     shows a stretch of time; `it.changed()` draws it
//     locktoll.timeline.zoom(it, factor, at)   makes the stretch larger or smaller around a time
//     locktoll.timeline.listen(it)             begins to listen on the canvas
{
    const { SIZES } = locktoll.timeline;

    /** No stretch is shorter, nanoseconds: one pixel is less than a nanosecond then. */
    const SHORTEST = 200;
    /** A wheel that turned over the page less than this before, in milliseconds, goes on scrolling the page. */
    const SCROLLING = 350;
    /** A pointer that moves less, in pixels, clicks. */
    const CLICK = 4;

    locktoll.timeline.look = function (it, from, to) {
        const { from_ns: first, to_ns: last } = it.raw;
        const length = Math.min(Math.max(to - from, SHORTEST), Math.max(last - first, SHORTEST));
        const begin = Math.max(first, Math.min((from + to - length) / 2, last - length));
        it.view.from = begin;
        it.view.to = begin + length;
        it.changed();
    };

    locktoll.timeline.zoom = function (it, factor, at = (it.view.from + it.view.to) / 2) {
        const { from, to } = it.view;
        locktoll.timeline.look(it, at - (at - from) * factor, at + (to - at) * factor);
    };

    /** By whole pixels, so that most of the picture stays as it is. */
    locktoll.timeline.pan = function (it, ns) {
        const whole = it.view.step > 0 ? Math.round(ns / it.view.step) * it.view.step : ns;
        locktoll.timeline.look(it, it.view.from + whole, it.view.to + whole);
    };

    const timeAt = (it, x) => it.view.from + (x - it.left) * it.view.step;
    const inside = (it, event) => {
        const box = it.canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    };

    /** The wheel: a turn that begins over the page goes on scrolling the page. */
    function wheel(it) {
        let scrolled = 0;
        addEventListener(
            "wheel",
            (event) => {
                if (!it.canvas.contains(event.target)) {
                    scrolled = event.timeStamp;
                }
            },
            { passive: true },
        );
        const listener = (event) => {
            if (event.timeStamp - scrolled < SCROLLING) {
                scrolled = event.timeStamp;
                return;
            }
            const lines = event.deltaMode === 1 ? 16 : 1;
            const [across, down] = event.shiftKey ? [event.deltaY || event.deltaX, 0] : [event.deltaX, event.deltaY];
            const before = it.view.from + " " + it.view.to;
            if (Math.abs(across) > Math.abs(down)) {
                locktoll.timeline.pan(it, across * lines * it.view.step);
            } else {
                locktoll.timeline.zoom(it, Math.exp(Math.max(-240, Math.min(240, down * lines)) * 0.003), timeAt(it, inside(it, event).x));
            }
            // At the end of what there is, the page scrolls.
            if (before !== it.view.from + " " + it.view.to) {
                event.preventDefault();
            }
        };
        it.canvas.addEventListener("wheel", listener, { passive: false });
    }

    /** One pointer moves the picture or chooses an interval; two zoom. */
    function pointers(it) {
        const { canvas } = it;
        const down = new Map();
        let begun = null;
        canvas.addEventListener("pointerdown", (event) => {
            if (event.button !== 0) {
                return;
            }
            canvas.setPointerCapture(event.pointerId);
            const place = inside(it, event);
            down.set(event.pointerId, place);
            const chooses = (it.mode === "choose") !== event.shiftKey || place.y < SIZES.axis;
            begun = { place, chooses, moved: false, view: { ...it.view }, time: timeAt(it, place.x), pinched: down.size > 1 };
        });
        canvas.addEventListener("pointermove", (event) => {
            const place = inside(it, event);
            if (!down.has(event.pointerId)) {
                it.pointed(place, timeAt(it, place.x));
                return;
            }
            const before = down.get(event.pointerId);
            down.set(event.pointerId, place);
            if (down.size === 2) {
                pinch(it, [...down].find(([id]) => id !== event.pointerId)[1], before, place);
                return;
            }
            begun.moved = begun.moved || Math.abs(place.x - begun.place.x) > CLICK;
            if (begun.pinched || !begun.moved) {
                return;
            }
            if (begun.chooses) {
                const [a, b] = [begun.time, timeAt(it, place.x)];
                it.choose(Math.max(it.raw.from_ns, Math.min(a, b)), Math.min(it.raw.to_ns, Math.max(a, b)), false);
            } else {
                const ns = Math.round(begun.place.x - place.x) * it.view.step;
                locktoll.timeline.look(it, begun.view.from + ns, begun.view.to + ns);
            }
        });
        const up = (event) => {
            if (!down.delete(event.pointerId) || event.type === "pointercancel" || begun.pinched) {
                return;
            }
            if (!begun.moved) {
                it.clicked(begun.place, begun.time);
            } else if (begun.chooses) {
                it.choose(it.brush.from, it.brush.to, true);
            }
        };
        canvas.addEventListener("pointerup", up);
        canvas.addEventListener("pointercancel", up);
        canvas.addEventListener("pointerleave", () => it.pointed(null, 0));
    }

    /** Two fingers: the times below them stay below them. */
    function pinch(it, still, before, now) {
        const room = (a, b) => Math.max(8, Math.abs(a.x - b.x));
        const time = timeAt(it, (still.x + before.x) / 2);
        locktoll.timeline.zoom(it, room(still, before) / room(still, now), time);
        locktoll.timeline.pan(it, ((before.x - now.x) / 2) * it.view.step);
    }

    function keys(it) {
        const { look, zoom, pan } = locktoll.timeline;
        const length = () => it.view.to - it.view.from;
        const actions = {
            ArrowLeft: () => pan(it, -length() / 8),
            ArrowRight: () => pan(it, length() / 8),
            PageUp: () => pan(it, -length()),
            PageDown: () => pan(it, length()),
            "+": () => zoom(it, 0.6),
            "=": () => zoom(it, 0.6),
            "-": () => zoom(it, 1 / 0.6),
            Home: () => look(it, it.raw.from_ns, it.raw.from_ns + length()),
            End: () => look(it, it.raw.to_ns - length(), it.raw.to_ns),
            0: () => look(it, it.raw.from_ns, it.raw.to_ns),
            ArrowUp: () => it.walk(-1),
            ArrowDown: () => it.walk(1),
            n: () => it.step(1),
            p: () => it.step(-1),
            i: () => it.choose(it.view.from, it.view.to, true),
            Enter: () => it.step(0),
            Escape: () => it.clear(),
        };
        it.canvas.addEventListener("keydown", (event) => {
            const action = actions[event.key];
            if (action && !event.ctrlKey && !event.metaKey && !event.altKey) {
                action();
                event.preventDefault();
            }
        });
    }

    locktoll.timeline.listen = function (it) {
        wheel(it);
        pointers(it);
        keys(it);
    };
}
