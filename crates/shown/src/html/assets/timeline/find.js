"use strict";
// Questions about single intervals.
//
//     locktoll.timeline.threadOf(data, interval)      the thread of an interval
//     locktoll.timeline.releasedAt(data, wait)        when the lock was released to the thread that waited
//     locktoll.timeline.holderPlace(data, wait)       where the thread that held the lock had acquired it, or -1
//     locktoll.timeline.overlapping(data, thread, from, to, wanted)     the intervals of a thread that overlap with a time
//     locktoll.timeline.longest(data, wanted, from, to, most)           the longest intervals in a time
{
    const { KINDS } = locktoll.timeline;

    /** Intervals that are looked at in a search backwards; the writer of the page searches as far (find.rs). */
    const BACK = 64;

    locktoll.timeline.kindOf = (data, interval) => data.kind[interval] & 7;
    locktoll.timeline.flagsOf = (data, interval) => data.kind[interval] >> 4;

    locktoll.timeline.threadOf = function ({ first }, interval) {
        let [low, high] = [0, first.length - 1];
        while (high - low > 1) {
            const middle = (low + high) >>> 1;
            if (first[middle] <= interval) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    };

    /** The number of the first interval of a thread that begins after a time. */
    function after({ first, begin }, thread, time) {
        let [low, high] = [first[thread], first[thread + 1]];
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (begin[middle] > time) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The last hold of a lock that a thread began by a time, or signal of it, for which `fits` holds, or -1. */
    function lastBefore(data, thread, lock, time, fits) {
        const last = after(data, thread, time) - 1;
        for (let at = last; at >= data.first[thread] && last - at < BACK; at--) {
            const kind = data.kind[at] & 7;
            if (data.lock[at] === lock && (kind === KINDS.hold || kind === KINDS.signal) && fits(at)) {
                return at;
            }
        }
        return -1;
    }

    locktoll.timeline.releasedAt = function (data, wait) {
        if (data.released.has(wait)) {
            return data.released.get(wait);
        }
        const hold = lastBefore(data, data.from[wait] - 1, data.lock[wait], data.end[wait], (at) => data.end[at] <= data.end[wait]);
        return hold < 0 ? data.end[wait] : data.end[hold];
    };

    locktoll.timeline.holderPlace = function (data, wait) {
        if (data.holderPlace[wait] > 0) {
            return data.holderPlace[wait] - 1;
        }
        if (data.holder[wait] === 0) {
            return -1;
        }
        const hold = lastBefore(data, data.holder[wait] - 1, data.lock[wait], data.begin[wait], (at) => data.end[at] >= data.begin[wait]);
        return hold < 0 ? -1 : data.stack[hold] - 1;
    };

    locktoll.timeline.overlapping = function (data, thread, from, to, wanted) {
        const found = [];
        const until = after(data, thread, to);
        for (let at = data.first[thread]; at < until; at++) {
            if (data.end[at] > from && data.begin[at] < to && wanted(at)) {
                found.push(at);
            }
        }
        return found;
    };

    locktoll.timeline.longest = function (data, wanted, from, to, most) {
        const found = [];
        const length = (at) => data.end[at] - data.begin[at];
        let least = -1;
        for (let at = 0; at < data.n; at++) {
            if (data.begin[at] < to && data.end[at] > from && (found.length < most || length(at) > least) && wanted(at)) {
                found.push(at);
                if (found.length >= 2 * most) {
                    found.sort((a, b) => length(b) - length(a) || a - b).length = most;
                    least = length(found[most - 1]);
                }
            }
        }
        return found.sort((a, b) => length(b) - length(a) || a - b).slice(0, most);
    };
}
