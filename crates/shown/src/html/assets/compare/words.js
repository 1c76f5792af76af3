"use strict";
// Words of locktoll.compare/1: verdicts, figures and ratios.
//
//     kit.comparison.verdictOf(row, kind)      {symbol, word, tone, mark}
//     kit.comparison.figureName(name)          the name of a figure, as on other pages
//     kit.comparison.amount(unit, value), .digits(value), .factor(value), .range(ratio), .ratioText(ratio)
//     kit.comparison.sides(row, figure)        the figures of both sides
{
    const kit = locktoll.kit;

    const VERDICTS = {
        slower: { symbol: "\u25b2", word: "slower in B", tone: "bad", mark: "triangle" },
        faster: { symbol: "\u25bc", word: "faster in B", tone: "good", mark: "path://M-4,-3.5L4,-3.5L0,4Z" },
        changed: { symbol: "\u25c6", word: "changed in B", tone: "accent", mark: "diamond" },
        no_difference: { symbol: "\u25cf", word: "no detectable difference", tone: "neutral", mark: "circle" },
        not_judged: { symbol: "?", word: "cannot be judged", tone: "faint", mark: "circle" },
        only_a: { symbol: "\u2212", word: "only in A", tone: "faint", mark: null },
        only_b: { symbol: "+", word: "only in B", tone: "faint", mark: null },
    };
    /** Claims are neither faster nor slower. */
    const OF_CLAIMS = { slower: "worse in B", faster: "better in B" };
    const NOT_JUDGED = { symbol: "?", word: "not judged: no interval", tone: "faint", mark: "emptyCircle" };

    /** The verdict of a row or a figure. Without an interval, as with one run each, differences were not judged. */
    function verdictOf({ verdict: name, ratio }, kind) {
        if (name === "no_difference" && ratio && typeof ratio.confidence !== "number") {
            return kind === "profile" ? { ...NOT_JUDGED, word: "not judged: one run each" } : NOT_JUDGED;
        }
        const known = Object.hasOwn(VERDICTS, name) ? VERDICTS[name] : { symbol: "?", word: kit.shown(name), tone: "neutral", mark: "circle" };
        return kind === "reproduce" && Object.hasOwn(OF_CLAIMS, name) ? { ...known, word: OF_CLAIMS[name] } : known;
    }

    /** The names of figures, as on other pages. */
    const FIGURES = {
        ns_per_op: "time per op",
        ops_per_second: "operations per second",
        user_ns_per_op: "user CPU time per op",
        system_ns_per_op: "kernel CPU time per op",
        voluntary_switches_per_op: "sleeps per op",
        involuntary_switches_per_op: "forced switches per op",
        p50_ns: "median wait",
        p99_ns: "p99 wait",
        p99_9_ns: "p99.9 wait",
        wait_ns: "time waited",
        wait_ns_per_acquisition: "time waited per acquisition",
        wait_share: "share of the threads' time waited",
        contended_share: "share of acquisitions contended",
        hold_ns: "time held",
        hold_ns_per_acquisition: "time held per acquisition",
        kernel_entries_per_op: "system calls per op",
        jain: "fairness (Jain's index)",
        duration_ns: "elapsed",
        wall_time_ns: "wall time",
        value_ns: "price",
        cpu_ns: "CPU time",
    };

    /** `per` and the units go into words where a name is not in the list. */
    function figureName(name) {
        return Object.hasOwn(FIGURES, name) ? FIGURES[name] : kit.shown(name).replace(/_ns$/, "").replaceAll("_", " ");
    }

    function amount(unit, value) {
        if (typeof value !== "number") {
            return kit.dash;
        }
        switch (unit) {
            case "ns":
                return kit.price(value);
            case "per_second":
                return kit.rate(value) + "/s";
            case "share":
                return kit.percent(value);
            case "quotient":
                return value.toFixed(2);
            default:
                return value !== 0 && Math.abs(value) < 0.0005 ? "<.001" : Math.abs(value) < 1 && value !== 0 ? value.toFixed(3) : kit.rate(value);
        }
    }

    const digits = (value) => (value > 0 && value < 0.0005 ? "<.001" : value < 0.1 ? value.toFixed(3) : value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : kit.count(Number(value.toPrecision(3))));
    const factor = (value) => digits(value) + "\u00d7";

    /** `1.31× (1.22 to 1.40)`, as far as it is known. */
    function ratioText(ratio) {
        if (!ratio || (typeof ratio.median !== "number" && typeof ratio.low !== "number")) {
            return kit.dash;
        }
        const median = typeof ratio.median === "number" ? factor(ratio.median) : kit.dash;
        return ratio.confidence === null || ratio.confidence === undefined ? median + " (no interval)" : median + " (" + range(ratio) + ")";
    }

    function range({ low, high }) {
        const is = (value) => typeof value === "number";
        return is(low) && is(high) ? digits(low) + " to " + digits(high) : is(low) ? digits(low) + " and more" : is(high) ? "up to " + digits(high) : "unbounded";
    }

    /** The figures of both sides. */
    function sides(row, figure) {
        const unit = figure.unit || unitOf(row);
        const side = (it) => kit.interval(it, (value) => amount(unit, value));
        return side(figure.a) + " in A, " + side(figure.b) + " in B";
    }

    const unitOf = (row) => (row.metrics.find(({ name }) => name === row.metric) || {}).unit;

    kit.comparison = { VERDICTS, amount, digits, factor, figureName, range, ratioText, sides, unitOf, verdictOf };
}
