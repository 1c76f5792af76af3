"use strict";
// The picture of a timeline: threads as rows, time from left to right.
//
// Each pixel of a row is a stretch of time. Its column is filled from below by the part of that stretch in which the thread
// held the lock, and above it by the part in which it waited for the lock. The narrow line below shows all other locks.
{
    const { KINDS, parts, ending } = locktoll.timeline;

    /** Sizes in CSS pixels: the axis above the rows, a row, its band, the line below that. */
    const SIZES = { axis: 26, row: 22, band: 14, line: 3 };
    locktoll.timeline.SIZES = SIZES;
    /** More hand-overs than these are no longer distinguished by the eye. */
    const ARROWS = 400;
    /** The narrowest bar that has room for its length in words. */
    const WORDY = 64;

    const packed = (colour) => {
        const number = Number.parseInt(colour.slice(1), 16);
        return ((255 << 24) | ((number & 255) << 16) | (number & 0xff00) | (number >> 16)) >>> 0;
    };

    /** The colours of the moment, by the names of the lanes, also as numbers for pixels. */
    locktoll.timeline.colours = function (kit) {
        const theme = kit.theme();
        const { locks, running, either, unknown, signals, other, cpu } = theme.causes;
        const lanes = { wait: locks, hold: running, otherWait: either, otherHold: unknown, event: signals, blocked: other, off: cpu };
        const sunken = getComputedStyle(document.documentElement).getPropertyValue("--sunken").trim();
        return { ...theme, sunken, lanes, pixels: Object.fromEntries(Object.entries(lanes).map(([name, colour]) => [name, packed(colour)])) };
    };

    const round = (part, room) => (part <= 0 ? 0 : Math.min(room, Math.max(1, Math.round(part * room))));

    /** The pixels of one row in the columns from `first` to `last`. */
    function row(lanes, grid, [first, last], bitmap, top, room, { pixels }) {
        const { cells } = grid;
        const [wait, hold, blocked, ...others] = room;
        const begin = grid.from + first * grid.step;
        const n = last - first;
        parts(lanes.wait, begin, grid.step, n, wait);
        parts(lanes.hold, begin, grid.step, n, hold);
        parts(lanes.blocked, begin, grid.step, n, blocked);
        const bottom = top + SIZES.band - 1;
        for (let x = 0; x < n; x++) {
            const waited = round(wait[x], SIZES.band);
            const held = Math.min(round(hold[x], SIZES.band), SIZES.band - (waited > 0 ? 1 : 0));
            const ends = Math.min(SIZES.band, held + waited);
            const deep = held > 0 && blocked[x] > 0 ? Math.min(held, 4) : 0;
            for (let up = 0; up < ends; up++) {
                bitmap[(bottom - up) * cells + first + x] = up < deep ? pixels.blocked : up < held ? pixels.hold : pixels.wait;
            }
        }
        ["otherHold", "off", "event", "otherWait"].forEach((name, at) => {
            if (lanes[name].n === 0) {
                return;
            }
            parts(lanes[name], begin, grid.step, n, others[at]);
            for (let x = 0; x < n; x++) {
                if (others[at][x] > 0) {
                    for (let down = 2; down < 2 + SIZES.line; down++) {
                        bitmap[(bottom + down) * cells + first + x] = pixels[name];
                    }
                }
            }
        });
    }

    /** By how many whole columns the picture has moved since it was last drawn; `null` if it is another one. */
    function moved(it, cells) {
        const { grid, view } = it;
        if (!grid || grid.cells !== cells || grid.lanes !== it.lanes || grid.colours !== it.colours || Math.abs(view.step / grid.step - 1) > 1e-9) {
            return null;
        }
        if (grid.rows.length !== view.rows.length || grid.rows.some((thread, at) => thread !== view.rows[at])) {
            return null;
        }
        const columns = Math.round((view.from - grid.from) / grid.step);
        return Math.abs(columns) < cells && Math.abs(view.from - grid.from - columns * grid.step) < 0.02 * grid.step ? columns : null;
    }

    /** All rows in sight, on a canvas of their own: a column is a stretch of time, and as wide as one CSS pixel. */
    function rows(it, cells) {
        const { view } = it;
        const height = Math.max(1, view.rows.length * SIZES.row);
        const canvas = it.bitmap;
        const columns = moved(it, cells);
        if (columns === null) {
            canvas.width = cells;
            canvas.height = height;
            it.buffers = Array.from({ length: 7 }, () => new Float32Array(cells));
            it.grid = { from: view.from, step: view.step, cells, rows: view.rows, lanes: it.lanes, colours: it.colours, image: new ImageData(cells, height) };
        }
        const { grid } = it;
        const bitmap = new Uint32Array(grid.image.data.buffer);
        let drawn = [0, cells];
        if (columns !== null) {
            grid.from += columns * grid.step;
            drawn = columns > 0 ? [cells - columns, cells] : [0, -columns];
            shift(bitmap, cells, height, columns, drawn);
        }
        if (drawn[1] > drawn[0]) {
            view.rows.forEach((thread, at) => row(it.lanes[thread], grid, drawn, bitmap, at * SIZES.row + 3, it.buffers, it.colours));
            canvas.getContext("2d").putImageData(grid.image, 0, 0);
        }
        return canvas;
    }

    /** Moves the picture to the left, and clears the columns that are drawn anew. */
    function shift(bitmap, cells, height, columns, [first, last]) {
        for (let line = 0; line < height; line++) {
            const at = line * cells;
            if (columns > 0) {
                bitmap.copyWithin(at, at + columns, at + cells);
            } else {
                bitmap.copyWithin(at - columns, at, at + cells + columns);
            }
            bitmap.fill(0, at + first, at + last);
        }
    }

    /** The steps of the axis: 1, 2 or 5 times a power of ten nanoseconds, and the digits behind the point of a second. */
    function step(view, width) {
        const least = ((view.to - view.from) / width) * 110;
        const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
        const size = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least);
        return { size, digits: Math.max(0, 9 - Math.floor(Math.log10(size))) };
    }

    locktoll.timeline.moment = (ns, digits) => (ns / 1e9).toFixed(Math.min(9, digits)) + " s";

    function axis(it, context, x, left, width) {
        const { view, colours } = it;
        const { size, digits } = step(view, width - left);
        context.fillStyle = colours.faint;
        context.strokeStyle = colours.grid;
        context.textAlign = "left";
        context.beginPath();
        for (let time = Math.ceil(view.from / size) * size; time <= view.to; time += size) {
            const place = Math.round(x(time)) + 0.5;
            context.moveTo(place, SIZES.axis - 6);
            context.lineTo(place, it.height);
            const words = locktoll.timeline.moment(time, digits);
            if (place + 4 + context.measureText(words).width <= width) {
                context.fillText(words, place + 4, 9);
            }
        }
        context.stroke();
    }

    /** The rows' names, and the times in which the threads lived. */
    function frame(it, context, x, left, width) {
        const { view, colours, raw, kit } = it;
        view.rows.forEach((number, at) => {
            const thread = raw.threads[number];
            const top = SIZES.axis + at * SIZES.row;
            const begin = Math.max(left, x(thread.begin_ns));
            const end = Math.min(width, thread.end_ns === null ? x(raw.to_ns) : x(thread.end_ns));
            context.fillStyle = colours.sunken;
            if (end > begin) {
                context.fillRect(begin, top + 3, end - begin, SIZES.band);
            }
            // Not known: its events were overwritten.
            const known = Math.min(end, x(thread.complete_from_ns));
            if (thread.overwritten > 0 && known > begin) {
                context.fillStyle = it.hatch;
                context.fillRect(begin, top + 3, known - begin, SIZES.band);
            }
            context.fillStyle = number === it.row ? colours.accent : colours.text;
            context.textAlign = "right";
            const name = it.names[number];
            context.fillText(kit.cut(name, left < 120 ? 10 : 24), left - 8, top + 10, left - 10);
        });
    }

    function alerts(it, context, x, left, width) {
        context.fillStyle = it.colours.lanes.off;
        for (const { at_ns: at } of it.raw.alerts) {
            const place = x(at);
            if (place >= left && place <= width) {
                context.beginPath();
                context.moveTo(place - 5, SIZES.axis - 9);
                context.lineTo(place + 5, SIZES.axis - 9);
                context.lineTo(place, SIZES.axis - 1);
                context.fill();
                context.fillRect(place - 0.5, SIZES.axis, 1, it.height);
            }
        }
        context.fillStyle = it.colours.accent;
        for (const { begin_ns: begin, end_ns: end } of it.raw.findings) {
            const place = Math.max(left, x(begin));
            const until = Math.min(width, x(end));
            if (until >= place) {
                context.fillRect(place, SIZES.axis - 3, Math.max(2, until - place), 2);
            }
        }
    }

    /** The waits for the lock that end in sight, by row; `null` if they are too many to be distinguished. */
    function handOvers({ view, lanes, data }) {
        const found = [];
        for (const [at, thread] of view.rows.entries()) {
            const lane = lanes[thread].wait;
            for (let each = ending(lane, view.from); each < lane.n && lane.begin[each] < view.to; each++) {
                found.push({ at, thread, each, interval: lane.interval[each] });
                if (found.length > ARROWS) {
                    return null;
                }
            }
        }
        return data ? found : null;
    }

    /** From the thread that released the lock to the thread that got it. */
    function arrows(it, context, x, left, width) {
        const { view, data, lanes, colours } = it;
        const found = handOvers(it);
        it.isCrowded = found === null && Boolean(data);
        const row = new Map(view.rows.map((thread, at) => [thread, at]));
        const middle = (at) => SIZES.axis + at * SIZES.row + 3 + SIZES.band / 2;
        for (const { at, thread, each, interval } of found || []) {
            const from = data.from[interval];
            if (from > 0 && row.has(from - 1) && from - 1 !== thread) {
                const isPicked = interval === it.picked;
                const [x0, y0] = [x(locktoll.timeline.releasedAt(data, interval)), middle(row.get(from - 1))];
                const [x1, y1] = [x(data.end[interval]), middle(at)];
                if (Math.max(x0, x1) < left || Math.min(x0, x1) > width) {
                    continue;
                }
                context.strokeStyle = context.fillStyle = isPicked ? colours.accent : colours.text;
                context.lineWidth = isPicked ? 2 : 1;
                arrow(context, x0, y0, x1, y1);
            }
            const lane = lanes[thread].wait;
            words(it, context, x(lane.begin[each]), x(lane.end[each]), at, left, width, lane.end[each] - lane.begin[each]);
        }
        context.lineWidth = 1;
    }

    function arrow(context, x0, y0, x1, y1) {
        const way = y1 > y0 ? 1 : -1;
        context.beginPath();
        context.moveTo(x0, y0);
        context.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1 - way * 5);
        context.stroke();
        context.beginPath();
        context.moveTo(x1, y1);
        context.lineTo(x1 - 3.5, y1 - way * 7);
        context.lineTo(x1 + 3.5, y1 - way * 7);
        context.fill();
    }

    /** The length of a wait, in its bar. */
    function words(it, context, begin, end, at, left, width, ns) {
        const [from, to] = [Math.max(begin, left), Math.min(end, width)];
        if (to - from >= WORDY) {
            context.fillStyle = it.colours.onCauses.locks;
            context.textAlign = "left";
            context.fillText(it.kit.duration(ns), from + 4, SIZES.axis + at * SIZES.row + 3 + SIZES.band / 2, to - from - 6);
        }
    }

    /** The chosen interval, and the wait that is shown below. */
    function marks(it, context, x, left, width) {
        const { brush, colours, data, picked } = it;
        if (brush) {
            const [from, to] = [Math.max(left, x(brush.from)), Math.min(width, x(brush.to))];
            if (to > from) {
                context.globalAlpha = 0.13;
                context.fillStyle = colours.accent;
                context.fillRect(from, 0, to - from, it.height);
                context.globalAlpha = 1;
                context.fillRect(from, 0, 1, it.height);
                context.fillRect(to - 1, 0, 1, it.height);
            }
        }
        const at = data && picked !== null ? it.view.rows.indexOf(locktoll.timeline.threadOf(data, picked)) : -1;
        if (at >= 0) {
            const [from, to] = [Math.max(left, x(data.begin[picked])), Math.min(width, x(data.end[picked]))];
            context.strokeStyle = colours.accent;
            context.lineWidth = 2;
            context.strokeRect(from - 1, SIZES.axis + at * SIZES.row + 2, Math.max(2, to - from) + 2, SIZES.band + 2);
            context.lineWidth = 1;
        }
    }

    /** A pattern for times of which nothing is known. */
    function hatched(context, colours) {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 6;
        const own = canvas.getContext("2d");
        own.strokeStyle = colours.line;
        own.moveTo(0, 6);
        own.lineTo(6, 0);
        own.stroke();
        return context.createPattern(canvas, "repeat");
    }

    locktoll.timeline.paint = function (it) {
        const { canvas, left, width, height, view } = it;
        const scale = devicePixelRatio || 1;
        if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
            canvas.width = Math.round(width * scale);
            canvas.height = Math.round(height * scale);
            canvas.style.height = height + "px";
        }
        const context = canvas.getContext("2d");
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        context.font = "12px " + it.font;
        context.textBaseline = "middle";
        it.hatch = it.hatch || hatched(context, it.colours);
        const cells = Math.max(1, Math.floor(width - left));
        view.step = (view.to - view.from) / cells;
        const first = Math.floor(it.scrolled / SIZES.row);
        view.rows = it.rows.slice(first, first + Math.ceil((height - SIZES.axis) / SIZES.row));
        const x = (time) => left + (time - view.from) / view.step;
        frame(it, context, x, left, width);
        axis(it, context, x, left, width);
        context.save();
        context.beginPath();
        context.rect(left, 0, width - left, height);
        context.clip();
        context.imageSmoothingEnabled = false;
        context.drawImage(rows(it, cells), left, SIZES.axis);
        arrows(it, context, x, left, width);
        alerts(it, context, x, left, width);
        marks(it, context, x, left, width);
        context.restore();
    };
}
