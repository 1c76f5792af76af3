"use strict";
// The timeline's intervals, as columns of numbers.
//
// The page has them by thread, in blocks of at most 65,536. Each block is compressed (deflate), written in base 64, and in an
// element of its own (profile/html/timeline/columns.rs describes the columns). They are read piece by piece, so that the page
// stays usable in the meantime.
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
            // The place of the holder, plus one; 0 if it has to be derived from a hold.
            holderPlace: column(n, stacks.length + 1),
            // By interval, the times of releases that cannot be derived.
            released: new Map(),
            // While reading: the last stack by lock and kind, and the last place of a holder by lock.
            lastStack: new Uint32Array(8 * locks.length),
            lastPlace: new Uint32Array(locks.length),
        };
    }

    /** Reads the columns of a block, which has the intervals from `at` on. Plain loops: there are ten million of them. */
    function decode(block, n, at, into, scratch) {
        let place = numbers(block, 0, n, scratch);
        into.kind.set(scratch.subarray(0, n), at);
        place = numbers(block, place, n, scratch);
        locks(into, n, at, scratch);
        place = numbers(block, place, n, scratch);
        into.begin.set(scratch.subarray(0, n), at);
        place = numbers(block, place, n, scratch);
        times(into, n, at, scratch);
        place = numbers(block, place, n, scratch);
        stacks(into, n, at, scratch);
        place = numbers(block, place, n, scratch);
        into.from.set(scratch.subarray(0, n), at);
        place = numbers(block, place, n, scratch);
        holders(into, n, at, scratch);
        place = numbers(block, place, n, scratch);
        for (let each = 0; each < n; each++) {
            if (scratch[each] > 0) {
                into.released.set(at + each, into.end[at + each] - (scratch[each] - 1));
            }
        }
        numbers(block, place, n, scratch);
        places(into, n, at, scratch);
    }

    function locks({ lock }, n, at, scratch) {
        let last = 0;
        for (let each = 0; each < n; each++) {
            last = scratch[each] === 0 ? last : scratch[each] - 1;
            lock[at + each] = last;
        }
    }

    /** Beginnings, which are there as distances from the interval before, and ends, from lengths. */
    function times({ first, begin, end, kind }, n, at, lengths) {
        let thread = 0;
        let [lastBegin, lastEnd] = [0, 0];
        for (let each = 0; each < n; each++) {
            const one = at + each;
            if (each === 0 || one === first[thread]) {
                [lastBegin, lastEnd] = [0, 0];
                // Threads may have no interval.
                while (first[thread] <= one) {
                    thread += 1;
                }
            }
            lastBegin = begin[one] += kind[one] & INSIDE ? lastBegin : lastEnd;
            lastEnd = end[one] = lastBegin + lengths[each];
        }
    }

    /** 0 repeats the last one of the same lock and kind. */
    function stacks({ lock, kind, stack, lastStack }, n, at, scratch) {
        for (let each = 0; each < n; each++) {
            const one = at + each;
            const key = lock[one] * 8 + (kind[one] & 7);
            if (scratch[each] > 0) {
                lastStack[key] = scratch[each] - 1;
            }
            stack[one] = lastStack[key];
        }
    }

    /** 0: none, 1: the thread that released the lock. */
    function holders({ from, holder }, n, at, scratch) {
        for (let each = 0; each < n; each++) {
            const value = scratch[each];
            holder[at + each] = value > 1 ? value - 1 : value === 1 ? from[at + each] : 0;
        }
    }

    /** 0: derived from a hold, 1: the last one of the lock. */
    function places({ lock, lastPlace, holderPlace }, n, at, scratch) {
        for (let each = 0; each < n; each++) {
            const one = at + each;
            if (scratch[each] > 1) {
                lastPlace[lock[one]] = scratch[each] - 2;
            }
            if (scratch[each] > 0) {
                holderPlace[one] = lastPlace[lock[one]] + 1;
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
            const element = document.getElementById(block.id);
            decode(await inflated(element.textContent), block.n, at, into, scratch);
            at += block.n;
            // It is large, and is not read again.
            element.remove();
            if (performance.now() - since > PIECE) {
                // Each tenth: new words take as long as a block.
                if (Math.floor((10 * at) / into.n) > Math.floor((10 * (at - block.n)) / into.n)) {
                    progress(at / into.n);
                }
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
