"use strict";
// Words of locktoll.try/1: verdicts, reasons, and the replaced objects, as in the terminal's text.
//
//     kit.trial.gain(metric, ratio)       times as good as bare: above 1 is better, whichever way the metric points
//     kit.trial.factor(value), kit.trial.range(estimate)
//     kit.trial.verdict(metric, row)      {symbol, word, tone, mark}
//     kit.trial.rows(doc)                 the rows of a result
//     kit.trial.tooFew(row), kit.trial.intervals(rows)    too few rounds for a verdict or an interval
//     kit.trial.reason(dropped)           why a candidate was not run to the end, a sentence
//     kit.trial.covered(coverage)         the replaced objects, in a sentence or two
{
    const kit = locktoll.kit;
    const trial = (kit.trial = {});

    const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

    trial.gain = function (metric, ratio) {
        if (!ratio || !(ratio.median > 0)) {
            return null;
        }
        return metric.better === "higher" ? ratio : { ...ratio, median: 1 / ratio.median, low: 1 / ratio.high, high: ratio.low > 0 ? 1 / ratio.low : null };
    };

    const digits = (value) => (value < 0.0995 ? value.toFixed(3) : value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : value.toFixed(0));

    trial.factor = (value) => (isNumber(value) ? digits(value) + "\u00d7" : kit.dash);

    trial.range = (estimate) => (estimate && estimate.n > 1 && isNumber(estimate.low) && isNumber(estimate.high) ? digits(estimate.low) + " to " + digits(estimate.high) : kit.dash);

    trial.amount = function (metric, value) {
        if (metric.source === "wall_time") {
            return kit.duration(value);
        }
        return isNumber(value) && value < 0 ? "\u2212" + kit.rate(-value) : kit.rate(value);
    };

    const FAILED = { symbol: "\u2715", tone: "bad", mark: null };

    const NOT_JUDGED = { symbol: "?", word: "not judged", tone: "faint", mark: "emptyCircle" };

    /** Rounds from which on the ratios to two runs of bare have an interval of 95 %. */
    const INTERVAL = 5;
    /** Results of earlier versions report no difference with fewer rounds than this, whatever the figures, and do not mark it. */
    const ENOUGH = 6;

    /** The rows of a result. In those of earlier versions, rows with too few rounds are marked as not judged. */
    trial.rows = (doc) =>
        doc.results.map((row) => {
            const isFew = !doc.made && row.verdict === "no_difference" && row.ratio_to_bare && row.ratio_to_bare.n < ENOUGH;
            return isFew ? { ...row, verdict: "not_judged", rounds_needed: ENOUGH } : row;
        });

    /** Whether so few rounds were compared that no ratio could lead to a verdict. */
    trial.tooFew = (row) => row.verdict === "not_judged" && Boolean(row.ratio_to_bare);

    /** Which interval the rows have. */
    trial.intervals = (rows) => {
        const compared = rows.filter((row) => row.ratio_to_bare);
        const few = compared.filter((row) => row.ratio_to_bare.n < INTERVAL);
        return few.length === 0
            ? "95 % intervals"
            : few.length === compared.length
              ? "the least and the most of all rounds: " + INTERVAL + " rounds are needed for 95 % intervals"
              : "95 % intervals, or with fewer than " + INTERVAL + " rounds the least and the most";
    };

    trial.verdict = function (metric, row) {
        const isTime = metric.source === "wall_time";
        if (row.dropped) {
            const { why, name, code } = row.dropped;
            const word = {
                clearly_worse: isTime ? "far slower" : "far worse",
                signal: kit.shown(name),
                exit_code: "exit code " + kit.shown(code),
                time_limit: "time limit",
                load: "load failed",
                not_replaced: "not replaced",
            }[why];
            return { ...FAILED, mark: kit.plots.CROSS, word: word || kit.shown(why) };
        }
        if (trial.tooFew(row)) {
            const needed = row.rounds_needed ? " (" + kit.count(row.rounds_needed) + " needed)" : "";
            return { ...NOT_JUDGED, word: "not judged: " + kit.counted(row.ratio_to_bare.n, "round", "rounds") + needed };
        }
        switch (row.verdict) {
            case "not_judged":
                return NOT_JUDGED;
            case "faster":
                return { symbol: "\u25b2", word: isTime ? "faster" : "better", tone: "good", mark: "triangle" };
            case "slower":
                return { symbol: "\u25bc", word: isTime ? "slower" : "worse", tone: "bad", mark: "path://M-4,-3.5L4,-3.5L0,4Z" };
            case "no_difference":
                return { symbol: "\u25cf", word: "no difference", tone: "neutral", mark: "circle" };
            default:
                return row.lock === "bare" ? { symbol: "", word: kit.dash, tone: "neutral", mark: "circle" } : { ...NOT_JUDGED, word: row.metric ? "not judged" : "not run" };
        }
    };

    trial.reason = function (dropped) {
        const when = dropped.round === 0 ? "in the warm-up" : "in round " + kit.count(dropped.round);
        switch (dropped.why) {
            case "clearly_worse":
                return "Dropped " + when + ": by then it was clearly and far worse than bare.";
            case "signal":
                return "The program was killed by " + kit.shown(dropped.name) + " (signal " + kit.count(dropped.number) + ") " + when + "; unmodified, it is not.";
            case "exit_code":
                return "The program exited with code " + kit.shown(dropped.code) + " " + when + "; unmodified, it does not.";
            case "time_limit":
                return "The program had not finished after " + kit.duration(dropped.limit_ns) + " " + when + ", and was killed.";
            case "load":
                return "The load failed " + when + ": " + kit.shown(dropped.reason);
            case "not_replaced":
                return "The library could not replace the locks " + when + ": " + kit.shown(dropped.reason);
            default:
                return kit.shown(dropped.why) + " " + when;
        }
    };

    const KINDS = {
        mutex: ["mutex", "mutexes"],
        condition_variable: ["condition variable", "condition variables"],
        reader_writer_lock: ["reader-writer lock", "reader-writer locks"],
        spin_lock: ["spin lock", "spin locks"],
    };

    trial.covered = function ({ locks_replaced: all, replaced = [], locks_passed_through: left = [], blocked_time_covered: share }) {
        const kinds = replaced.map(({ kind, count }) => kit.counted(count, ...(KINDS[kind] || [kit.shown(kind), kit.shown(kind)])));
        const what = all === 0 ? "No lock was replaced" : (kinds.length > 0 ? kinds.join(", ") : kit.counted(all, "lock", "locks")) + " replaced";
        const sum = left.reduce((sum, { count }) => sum + count, 0);
        const reasons = left.map(({ reason, count }) => kit.count(count) + " " + kit.shown(reason)).join(", ");
        return (
            what + (sum > 0 ? "; " + kit.count(sum) + " left to the C library (" + reasons + ")" : "") + ". " +
            (isNumber(share)
                ? "In a recorded run, " + (share * 100).toFixed(0) + " % of the time that threads were blocked on locks was on locks that are replaced."
                : "It is not known which share of the blocked time that covers: no run was recorded, no thread blocked on a lock, or some locks of the same kind were not replaced.")
        );
    };
}
