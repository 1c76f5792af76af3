"use strict";
// The choice of one interval: by a click, and by keys.
//
//     locktoll.timeline.picking(it)    adds it.pick(interval), it.clicked, it.pointed, it.walk(rows), it.step(waits)
{
    const { SIZES, KINDS } = locktoll.timeline;

    /** A click finds intervals this far from it, pixels. */
    const NEAR = 4;

    /** Which interval is shown in words, and how another one is chosen. */
    locktoll.timeline.picking = function (it) {
        const { kit } = it;
        it.pick = (interval) => {
            it.picked = interval;
            it.panel.replaceChildren();
            if (interval !== null) {
                locktoll.timeline.describe(it.panel, it, interval);
                // The panel has the same words for those who see it.
                it.say(locktoll.timeline.inWords(it, interval), true);
            }
            it.changed();
        };
        it.clicked = ({ x, y }, time) => {
            const row = rowAt(it, y);
            if (!it.data || x < it.left || row === undefined) {
                return;
            }
            it.row = row;
            const room = NEAR * it.view.step;
            it.pick(nearest(it, it.row, time - room, time + room));
        };
        it.pointed = (place, time) => (it.canvas.title = place ? pointed(it, place, time) : "");
        it.walk = (way) => {
            const at = it.rows.indexOf(it.row);
            it.row = it.rows[Math.max(0, Math.min(it.rows.length - 1, at + way))];
            it.room.scrollTop = Math.max(Math.min(it.room.scrollTop, it.rows.indexOf(it.row) * SIZES.row), (it.rows.indexOf(it.row) + 1) * SIZES.row + SIZES.axis - it.height);
            it.say(it.names[it.row]);
            it.changed();
        };
        it.step = (way) => stepTo(it, way);
    };

    const rowAt = (it, y) => it.view.rows[Math.floor((y - SIZES.axis) / SIZES.row)];

    /** What is under the pointer, in a few words. */
    function pointed(it, { x, y }, time) {
        const row = rowAt(it, y);
        if (y < SIZES.axis) {
            return "Drag to choose a time";
        }
        if (!it.data || x < it.left || row === undefined) {
            return row === undefined ? "" : it.names[row];
        }
        for (const [name, words] of [["wait", "waited"], ["hold", "held the lock"]]) {
            const lane = it.lanes[row][name];
            const at = locktoll.timeline.ending(lane, time);
            if (at < lane.n && lane.begin[at] <= time) {
                return it.names[row] + " " + words + " for " + it.kit.duration(lane.end[at] - lane.begin[at]);
            }
        }
        return it.names[row];
    }

    /** The longest wait for the lock near a time, else hold of it, else the longest interval. */
    function nearest({ data, lock }, thread, from, to) {
        const all = locktoll.timeline.overlapping(data, thread, from, to, (at) => (data.kind[at] & 7) !== KINDS.signal);
        const rank = (at) => {
            const kind = data.kind[at] & 7;
            return data.lock[at] !== lock ? 0 : kind === KINDS.wait || kind === KINDS.event ? 2 : kind === KINDS.hold ? 1 : 0;
        };
        const better = (a, b) => rank(a) - rank(b) || data.end[a] - data.begin[a] - (data.end[b] - data.begin[b]);
        return all.length === 0 ? null : all.reduce((best, at) => (better(at, best) > 0 ? at : best));
    }

    /** The next wait of the chosen thread for the lock, or the previous one. With 0, the one in the middle of what is in sight. */
    function stepTo(it, way) {
        if (!it.data) {
            return;
        }
        it.row = it.row ?? it.rows[0];
        const lane = it.lanes[it.row].wait;
        const isHere = it.picked !== null && locktoll.timeline.threadOf(it.data, it.picked) === it.row;
        const middle = (it.view.from + it.view.to) / 2;
        const at = isHere ? lane.interval.subarray(0, lane.n).indexOf(it.picked) : locktoll.timeline.ending(lane, middle) - (way > 0 ? 1 : 0);
        const next = Math.max(0, Math.min(lane.n - 1, at + way));
        if (lane.n === 0) {
            it.say(it.names[it.row] + " did not wait for this lock.");
            return;
        }
        const interval = lane.interval[next];
        const { from, to } = it.view;
        if (it.data.begin[interval] < from || it.data.end[interval] > to) {
            const center = (it.data.begin[interval] + it.data.end[interval]) / 2;
            const length = Math.max(to - from, (it.data.end[interval] - it.data.begin[interval]) * 1.2);
            locktoll.timeline.look(it, center - length / 2, center + length / 2);
        }
        it.pick(interval);
    }
}
