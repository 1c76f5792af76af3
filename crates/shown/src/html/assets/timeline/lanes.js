"use strict";
// Lanes: the times at which a thread waited for a lock, or held it, prepared so that the part of any stretch of time is known
// after a few steps, whether the stretch has none of them or a million. So a picture is exact at every zoom.
//
//     locktoll.timeline.lanes(data, lock)         of each thread: `wait`, `hold` of the lock; `otherWait`, `otherHold`, `event`,
//                                                 `blocked` and `off`, of all locks
//     locktoll.timeline.overviewLanes(raw, overview)    the same from buckets
//     locktoll.timeline.parts(lane, begin, step, cells, into)    the part of each cell of time that is in the lane, 0 to 1
//     locktoll.timeline.ending(lane, time)        the first stretch that ends after a time
{
    const { KINDS } = locktoll.timeline;

    /** The names of the lanes of a thread. The first two are of the lock, and know their intervals. */
    const NAMES = ["wait", "hold", "otherWait", "otherHold", "event", "blocked", "off"];

    function laneOf(kind, isLock) {
        switch (kind) {
            case KINDS.wait:
                return isLock ? 0 : 2;
            case KINDS.hold:
                return isLock ? 1 : 3;
            case KINDS.event:
                // Of a condition variable or a barrier that is chosen.
                return isLock ? 0 : 4;
            case KINDS.blocked:
                return 5;
            case KINDS.off:
            case KINDS.preempted:
                return 6;
            default:
                return -1;
        }
    }

    /** Room for `n` stretches that do not overlap: their begins, their ends, the length of all before each, and their intervals. */
    const lane = (n) => ({ n: 0, begin: new Float64Array(n), end: new Float64Array(n), before: new Float64Array(n + 1), interval: new Uint32Array(n) });

    /** Adds a stretch. One that overlaps with the last prolongs it: a lock may be held within another, or twice. */
    function add(lane, begin, end, interval) {
        const last = lane.n - 1;
        if (last >= 0 && begin < lane.end[last]) {
            if (end <= lane.end[last]) {
                return;
            }
            lane.end[last] = end;
        } else {
            lane.begin[lane.n] = begin;
            lane.end[lane.n] = end;
            lane.interval[lane.n] = interval;
            lane.n += 1;
        }
        const now = lane.n - 1;
        lane.before[now + 1] = lane.before[now] + lane.end[now] - lane.begin[now];
    }

    locktoll.timeline.lanes = function (data, lock) {
        const of = [];
        const counts = new Float64Array(NAMES.length);
        for (let thread = 0; thread + 1 < data.first.length; thread++) {
            const [from, to] = [data.first[thread], data.first[thread + 1]];
            counts.fill(0);
            for (let at = from; at < to; at++) {
                counts[laneOf(data.kind[at] & 7, data.lock[at] === lock)] += 1;
            }
            const lanes = NAMES.map((_, name) => lane(counts[name]));
            for (let at = from; at < to; at++) {
                const name = laneOf(data.kind[at] & 7, data.lock[at] === lock);
                if (name >= 0) {
                    add(lanes[name], data.begin[at], data.end[at], at);
                }
            }
            of.push(Object.fromEntries(NAMES.map((name, at) => [name, lanes[at]])));
        }
        return of;
    };

    const none = lane(0);

    /** Each bucket's part is put at its beginning. */
    locktoll.timeline.overviewLanes = function (raw, overview) {
        const width = (raw.to_ns - raw.from_ns) / raw.overview.buckets;
        const lanes = (buckets) => {
            const it = lane(buckets.length);
            buckets.forEach((part, at) => part > 0 && add(it, raw.from_ns + at * width, raw.from_ns + (at + part / 255) * width, 0));
            return it;
        };
        return raw.threads.map((_, thread) => {
            const known = overview[thread];
            const wait = known ? lanes(known.wait) : none;
            return { ...Object.fromEntries(NAMES.map((name) => [name, none])), wait, hold: known ? lanes(known.hold) : none };
        });
    };

    locktoll.timeline.ending = function ({ n, end }, time, low = 0) {
        let high = n;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (end[middle] > time) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    };

    /** The first stretch that ends after a time, from one that does not. The one before was `stride` away from its own. */
    function advanced({ n, end }, at, stride, time) {
        let [low, high] = [at, Math.min(n, at + stride)];
        let jump = Math.max(1, stride >> 3);
        if (high < n && end[high] <= time) {
            while (high < n && end[high] <= time) {
                [low, high] = [high, Math.min(n, high + jump)];
                jump *= 2;
            }
        } else {
            while (high - jump > low && end[high - jump] > time) {
                high -= jump;
                jump *= 2;
            }
            low = Math.max(low, high - jump);
        }
        // `low` ends before, or is the beginning; `high` ends after.
        while (high - low > 1) {
            const middle = (low + high) >>> 1;
            if (end[middle] > time) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    locktoll.timeline.parts = function (lane, from, step, cells, into) {
        const { n, begin, end, before } = lane;
        let at = locktoll.timeline.ending(lane, from);
        const until = (time) => before[at] + (at < n && time > begin[at] ? time - begin[at] : 0);
        let last = until(from);
        let stride = 1;
        for (let cell = 0; cell < cells; cell++) {
            const time = from + (cell + 1) * step;
            if (at < n && end[at] <= time) {
                const next = advanced(lane, at, stride, time);
                stride = next - at;
                at = next;
            }
            const now = until(time);
            into[cell] = (now - last) / step;
            last = now;
        }
    };
}
