"use strict";
// The timeline's intervals, as columns of numbers.
//
// The document has them by thread, in blocks of at most 65,536, each block compressed (deflate) and written in base 64
// (profile/html/timeline/columns.rs describes the columns). They are read piece by piece, so that the page stays usable in the
// meantime.
//
//     locktoll.timeline.read(raw, progress)    a promise of the columns; `first` has the number of each thread's first interval
//     locktoll.timeline.overview(raw)          a promise of the parts that are drawn until then
locktoll.timeline = {
    /** The kinds of intervals: the lowest three bits of `kind` (profile/html/timeline/columns.rs). */
    KINDS: { hold: 0, wait: 1, event: 2, blocked: 3, off: 4, preempted: 5, signal: 6 },
    /** The highest four bits, for holds and for waits. */
    HOLD: { unfinished: 1, beganEarlier: 2, shared: 4, awaited: 8 },
    WAIT: { done: 0, timedOut: 1, failed: 2, unfinished: 3 },
};
{
    /** Milliseconds after which the browser may do something else. */
    const PIECE = 8;
    /** The bit of `kind` that says that an interval begins before the end of the one before it. */
    const INSIDE = 8;

    const bytes = (text) => (Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));

    async function inflated(text) {
        const stream = new DecompressionStream("deflate-raw");
        const writer = stream.writable.getWriter();
        // If a block is damaged, reading fails below, which is reported.
        writer.write(bytes(text)).catch(() => {});
        writer.close().catch(() => {});
        return new Uint8Array(await new Response(stream.readable).arrayBuffer());
    }

    /** Reads `n` numbers: how many bytes they have, then the lowest byte of each, then the next. Returns the place behind them. */
    function numbers(from, at, n, into) {
        const ranks = from[at++];
        into.fill(0, 0, n);
        for (let rank = 0; rank < ranks; rank++) {
            // Multiplied, since shifts would lose the bits above 31.
            const scale = 256 ** rank;
            for (let each = 0; each < n; each++) {
                into[each] += from[at + each] * scale;
            }
            at += n;
        }
        return at;
    }

    /** A column of the smallest numbers that have room for `most`. */
    const column = (length, most) => new (most < 256 ? Uint8Array : most < 65536 ? Uint16Array : Uint32Array)(length);

    function empty({ intervals: n, threads, locks, stacks }) {
        const first = new Float64Array(threads.length + 1);
        threads.forEach((thread, at) => (first[at + 1] = first[at] + thread.intervals));
        return {
            n,
            first,
            // Nanoseconds.
            begin: new Float64Array(n),
            end: new Float64Array(n),
            kind: new Uint8Array(n),
            lock: column(n, locks.length),
            // The columns below have 0 where nothing is known, else one more than the number of a stack or a thread.
            stack: column(n, stacks.length + 1),
            holder: column(n, threads.length + 1),
            from: column(n, threads.length + 1),
            // What could not be derived from other intervals, by interval: the time of the release, the place of the holder.
            released: new Map(),
            holderPlace: new Map(),
        };
    }

    function decode(block, n, at, into, scratch) {
        const { first, begin, end, kind, lock } = into;
        let place = 0;
        const read = (column, get) => {
            place = numbers(block, place, n, scratch);
            for (let each = 0; each < n; each++) {
                column[at + each] = get ? get(scratch[each], at + each) : scratch[each];
            }
        };
        read(kind);
        const starts = new Set([at]);
        first.forEach((one) => starts.add(one));
        place = numbers(block, place, n, scratch);
        for (let each = 0; each < n; each++) {
            const one = at + each;
            lock[one] = scratch[each] === 0 ? lock[one - 1] : scratch[each] - 1;
        }
        place = numbers(block, place, n, scratch);
        const lengths = new Float64Array(n);
        place = numbers(block, place, n, lengths);
        for (let each = 0; each < n; each++) {
            const one = at + each;
            const base = starts.has(one) ? 0 : kind[one] & INSIDE ? begin[one - 1] : end[one - 1];
            begin[one] = base + scratch[each];
            end[one] = begin[one] + lengths[each];
        }
        place = numbers(block, place, n, scratch);
        // By lock and kind.
        const stacks = new Map();
        for (let each = 0; each < n; each++) {
            const one = at + each;
            const key = lock[one] * 8 + (kind[one] & 7);
            if (scratch[each] === 0) {
                into.stack[one] = stacks.get(key);
            } else {
                into.stack[one] = scratch[each] - 1;
                stacks.set(key, scratch[each] - 1);
            }
        }
        read(into.from);
        // 0: none, 1: the thread that released the lock.
        read(into.holder, (value, one) => (value === 1 ? into.from[one] : Math.max(0, value - 1)));
        place = numbers(block, place, n, scratch);
        for (let each = 0; each < n; each++) {
            if (scratch[each] > 0) {
                into.released.set(at + each, end[at + each] - (scratch[each] - 1));
            }
        }
        place = numbers(block, place, n, scratch);
        const places = new Map();
        for (let each = 0; each < n; each++) {
            const one = at + each;
            if (scratch[each] > 1) {
                places.set(lock[one], scratch[each] - 2);
            }
            if (scratch[each] > 0) {
                into.holderPlace.set(one, places.get(lock[one]));
            }
        }
    }

    /** Lets the browser draw, and answer to keys. */
    const pause = () => new Promise((done) => setTimeout(done));

    locktoll.timeline.read = async function (raw, progress) {
        const into = empty(raw);
        const scratch = new Float64Array(Math.max(0, ...raw.blocks.map(({ n }) => n)));
        let at = 0;
        let since = performance.now();
        for (const block of raw.blocks) {
            decode(await inflated(block.data), block.n, at, into, scratch);
            at += block.n;
            // It is large, and is not read again.
            block.data = null;
            if (performance.now() - since > PIECE) {
                progress(at / Math.max(1, into.n));
                await pause();
                since = performance.now();
            }
        }
        return into;
    };

    /** Of each thread, the parts of time in which it waited for the lock that is shown first, and held it: 255 is all of a bucket. */
    locktoll.timeline.overview = async function ({ overview }) {
        const { buckets, threads, data } = overview;
        const all = await inflated(data);
        const part = (at) => all.subarray(at * buckets, (at + 1) * buckets);
        return Array.from({ length: threads }, (_, thread) => ({ wait: part(2 * thread), hold: part(2 * thread + 1) }));
    };
}
