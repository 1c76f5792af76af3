"use strict";
// locktoll.whatif/1: what shorter holds of each lock would gain. Only in pages that have such a document.
{
    locktoll.draw["locktoll.whatif/1"] = function (doc, section, kit) {
        const SHARES = ["10", "25", "50"];
        const factor = (value) => gain(value, kit);
        const VERDICTS = { gains: "\u25b2 gains", no_effect: "\u25cf no effect", cannot_tell: "\u25cb cannot tell" };
        const METHODS = { fast: "all other threads delayed while the lock is held", slow: "longer holds, with the line extended to shorter ones", bound: "limited by the CPUs" };
        const half = (row) => row.gains["50"];
        const gaining = doc.locks.filter((row) => row.verdict === "gains" && half(row));
        const best = gaining.sort((a, b) => half(b).median - half(a).median)[0];

        kit.title(section, "locktoll whatif " + kit.shown(doc.command.join(" ")), "What shorter holds of a lock would gain");
        kit.answer(section, {
            figure: best ? factor(half(best).median) : gaining.length + " of " + doc.locks.length,
            of: best ? "as fast with holds of " + kit.shown(best.name) + " half as long " + (range(half(best)) || "") : "locks gain from shorter holds",
            tone: best ? "good" : "quiet",
            said: [kit.prose(kit.shown(doc.conclusion))],
        });
        kit.doubts(section, doc, doc.remarks || []);

        const rows = doc.locks.flatMap((lock) => SHARES.map((share) => ({ lock, share, gain: lock.gains[share] }))).filter(({ gain }) => gain);
        if (rows.length > 0) {
            kit.plots.dots(section, {
                title: "Speed with shorter holds",
                label: "Gain by lock and share, with intervals",
                caption: "How many times as fast the program would be with holds of one lock that are shorter by this share; right of 1 is faster. Lines: 95 % intervals.",
                key: "\u25b2 gains, \u25cf no effect, \u25cb cannot tell",
                format: factor,
                line: 1,
                rows: rows.map(({ lock, share, gain }) => ({
                    name: kit.shown(lock.name) + " \u2212" + share + " %",
                    estimate: gain,
                    remark: VERDICTS[lock.verdict],
                    behind: VERDICTS[lock.verdict],
                    tone: lock.verdict === "gains" ? "good" : "quiet",
                    symbol: VERDICTS[lock.verdict][0],
                })),
            });
        }
        kit.heading(section, "Locks", "Open a row for the gains by each experiment.");
        kit.table(section, {
            label: "Locks",
            columns: [
                { title: "lock", left: true, value: (row) => kit.shown(row.name) },
                { title: "verdict", left: true, value: (row) => VERDICTS[row.verdict] },
                { title: "waiting", note: "share of the threads' time in the recorded run", value: (row) => row.wait_share, text: (row) => kit.percent(row.wait_share) },
                ...SHARES.map((share) => ({
                    title: "\u2212" + share + " %",
                    note: "holds shorter by this share",
                    value: (row) => kit.median(row.gains[share]),
                    text: (row) => factor(kit.median(row.gains[share])),
                    remark: (row) => range(row.gains[share]),
                })),
            ],
            rows: doc.locks,
            open: (row, panel) => {
                for (const it of row.by_method || []) {
                    kit.note(panel, METHODS[it.method] + ": " + SHARES.map((share) => "\u2212" + share + " %: " + factor(kit.median(it.gains[share])) + " " + (range(it.gains[share]) || "")).join(", "));
                }
                if (row.agree === false) {
                    kit.note(panel, "The experiments do not agree.");
                }
                if (row.method.includes("bound")) {
                    kit.note(panel, "The CPUs limit the gain: the program keeps them busy.");
                }
                if (row.reason) {
                    kit.note(panel, kit.shown(row.reason));
                }
            },
        });
        experiments(section, doc, kit);
        kit.surroundings(section, doc, [
            "metric: " + (doc.metric.source === "wall_time" ? "wall time" : "read from the output") + ", " + (doc.metric.better === "higher" ? "higher" : "lower") + " is better",
            ...(doc.load ? ["load: " + kit.shown(doc.load.join(" "))] : []),
            kit.counted(doc.rounds, "round", "rounds") + ", interleaved, in " + kit.duration(doc.taken_ns) + " (limit " + kit.duration(doc.announced_ns) + ")",
        ]);
    };

    const gain = (value, kit) => (typeof value === "number" ? value.toFixed(2) + "\u00d7" : kit.dash);
    const range = (it) => (it && it.n > 1 ? "(" + it.low.toFixed(2) + " .. " + it.high.toFixed(2) + ")" : null);

    /** A row per change that was measured. */
    function experiments(section, doc, kit) {
        kit.heading(section, "Experiments", "The metric with changed holds divided by the metric without a change in the same round; \u22120 % and +0 % are two runs without a change.");
        const names = new Map(doc.locks.map((row) => [row.lock, row.name]));
        kit.table(section, {
            label: "Experiments",
            columns: [
                { title: "lock", left: true, value: (row) => kit.shown(names.get(row.lock) || row.lock) },
                { title: "holds", value: (row) => kit.shown(row.change) },
                { title: "metric", value: (row) => kit.median(row.ratio_to_bare), text: (row) => gain(kit.median(row.ratio_to_bare), kit), remark: (row) => range(row.ratio_to_bare) },
                { title: "rounds", value: (row) => row.ratio_to_bare.n },
            ],
            rows: doc.experiments,
        });
    }
}
