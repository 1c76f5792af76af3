"use strict";
// locktoll.try/1: a program on other locks.
{
    locktoll.draw["locktoll.try/1"] = function (result, section, kit) {
        const doc = { ...result, results: kit.trial.rows(result) };
        const { metric } = doc;
        kit.title(section, "locktoll try " + kit.shown(doc.command.join(" ")), doc.only ? "Only " + kit.shown(doc.only.name) + " on other locks" : "A program on other locks");
        answer(section);
        kit.doubts(section, doc, doc.remarks || []);
        chart(section, doc, kit);
        table(section, doc, kit);
        failures(section, doc, kit);
        covered(section, doc, kit);
        kit.surroundings(section, doc, settings());

        function answer(parent) {
            const best = doc.best && kit.trial.gain(metric, doc.best.ratio_to_bare);
            const tried = doc.results.filter(({ lock, verdict, dropped }) => lock !== "bare" && lock !== "pass-through" && (verdict || dropped));
            const isTime = metric.source === "wall_time";
            const conclusion = kit.shown(doc.conclusion);
            const isUnjudged = !best && tried.length > 0 && tried.every((row) => row.dropped || kit.trial.tooFew(row)) && tried.some(kit.trial.tooFew);
            const rounds = Math.max(...tried.filter(kit.trial.tooFew).map((row) => row.ratio_to_bare.n), 0);
            const needed = Math.max(...tried.map((row) => row.rounds_needed || 0), 0);
            const enough = needed > 0 ? ": " + kit.count(needed) + " are needed" : "";
            const few = isUnjudged && !/not judged|no verdict/i.test(conclusion) ? [["Each lock has only " + kit.counted(rounds, "round", "rounds") + ", too few for a verdict" + enough + "."]] : [];
            kit.answer(parent, {
                figure: best ? kit.trial.factor(best.median) : isUnjudged ? kit.counted(rounds, "round", "rounds") : tried.filter(({ verdict }) => verdict === "faster").length + " of " + tried.length,
                of: best
                    ? (isTime ? "as fast" : "as good") + " on " + kit.shown(doc.best.lock) + " as on its own locks (" + kit.trial.range(best) + "), in a final of " + kit.counted(best.n, "round", "rounds") + " that had no part in choosing it"
                    : isUnjudged ? "of each lock" + enough + " to judge" : (tried.length === 1 ? "lock was " : "locks were ") + (isTime ? "faster" : "better") + " than the program's own",
                tone: best ? "good" : "quiet",
                said: [...few, kit.prose(conclusion)],
            });
        }

        function settings() {
            const ofWhom = doc.load ? "the load" : "the program";
            const read = metric.pattern ? "the number found by /" + kit.shown(metric.pattern) + "/ in the output of " + ofWhom : "the number read from the output of " + ofWhom;
            return [
                "metric: " + (metric.source === "wall_time" ? "wall time of " + ofWhom : read) + ", " + (metric.better === "higher" ? "higher" : "lower") + " is better",
                ...(doc.load ? ["load: " + kit.shown(doc.load.join(" "))] : []),
                ...(doc.only ? ["only " + kit.shown(doc.only.name) + " (" + kit.shown(doc.only.id) + "); every other lock is the C library's"] : []),
                kit.counted(doc.rounds, "round", "rounds") + ", interleaved, in " + kit.duration(doc.taken_ns) + " (limit " + kit.duration(doc.announced_ns) + ")",
            ];
        }
    };

    const says = ({ source, better }) =>
        source === "wall_time"
            ? "Speed relative to bare in the same round; right of 1 is faster"
            : better === "higher"
              ? "The metric divided by bare's in the same round; right of 1 is better"
              : "Bare's metric divided by the lock's in the same round; right of 1 is better";

    function chart(parent, doc, kit) {
        const rows = doc.results.filter(({ lock }) => lock !== "bare");
        if (rows.length === 0) {
            kit.note(parent, "No lock was tried.");
            return;
        }
        const same = doc.same_against_same;
        const spread = same && same.low > 0 && same.n > 1 ? Math.max(same.high, 1 / same.low) : null;
        kit.plots.dots(parent, {
            title: doc.metric.source === "wall_time" ? "Speed relative to the program's own locks" : "Metric relative to the program's own locks",
            label: "Each lock against bare, with intervals",
            caption: says(doc.metric) + ". Lines: " + kit.trial.intervals(rows) + ".",
            key:
                "\u25b2 better, \u25bc worse, \u25cf no difference that can be distinguished from noise" + (rows.some(kit.trial.tooFew) ? ", \u25cb not judged" : "") + ", \u2715 dropped." +
                (spread ? " Grey: bare against bare, " + kit.trial.factor(same.median) + " (" + kit.trial.range(same) + "), the noise floor, for which verdicts allow." : ""),
            format: kit.trial.factor,
            line: 1,
            shade: spread ? { low: 1 / spread, high: spread } : undefined,
            rows: rows.map((row) => {
                const { word, tone, mark } = kit.trial.verdict(doc.metric, row);
                return { name: kit.shown(row.lock), estimate: bounded(kit.trial.gain(doc.metric, row.ratio_to_bare)), remark: word, behind: word.split(":")[0], tone, symbol: mark };
            }),
        });
    }

    /** An interval without an upper end is drawn to its median. */
    const bounded = (gain) => gain && { ...gain, high: gain.high ?? gain.median };

    function table(parent, doc, kit) {
        const { metric } = doc;
        const gain = (row) => kit.trial.gain(metric, row.ratio_to_bare);
        kit.heading(parent, "All locks", "Open a row for a description of the lock, the objects that it replaced, and the reason if it was dropped.");
        kit.table(parent, {
            label: "Locks",
            link: { key: "lock", of: (row) => row.lock },
            columns: [
                { title: "lock", left: true, value: (row) => kit.shown(row.lock), remark: (row) => (row.is_pure_spinner ? "only spins" : null) },
                {
                    title: "verdict",
                    left: true,
                    value: (row) => kit.trial.verdict(metric, row).word,
                    text: (row) => {
                        const { symbol, word } = kit.trial.verdict(metric, row);
                        return (symbol + " " + word).trim();
                    },
                },
                {
                    title: "vs bare",
                    note: says(metric).replace("right of", "above") + "; with " + kit.trial.intervals(doc.results),
                    value: (row) => kit.median(gain(row)),
                    text: (row) => kit.trial.factor(kit.median(gain(row))),
                    remark: (row) => (gain(row) && kit.trial.range(gain(row)) !== kit.dash ? "(" + kit.trial.range(gain(row)) + ")" : null),
                },
                { title: "CPU", note: "CPU time relative to bare; below 1 is less", value: (row) => kit.median(row.cpu_ratio), text: (row) => kit.trial.factor(kit.median(row.cpu_ratio)) },
                { title: metric.source === "wall_time" ? "time" : "metric", note: "median", value: (row) => kit.median(row.metric), text: (row) => kit.trial.amount(metric, kit.median(row.metric)) },
                { title: "replaced", note: "objects that got another lock", value: (row) => row.coverage && row.coverage.locks_replaced, text: (row) => kit.count(row.coverage ? row.coverage.locks_replaced : null) },
            ],
            rows: doc.results,
            filter: (row) => [row.lock, row.summary, kit.trial.verdict(metric, row).word].join(" "),
            open: (row, panel) => {
                kit.note(panel, kit.shown(row.summary));
                for (const remark of row.remarks || []) {
                    kit.note(panel, kit.shown(remark));
                }
                if (row.is_pure_spinner) {
                    kit.note(panel, "Its waiters only spin. With more threads than CPUs, such a lock can make no progress for whole time slices of the scheduler, and it uses CPU time that other threads need.");
                }
                kit.facts(panel, [
                    [metric.source === "wall_time" ? "Wall time" : "Metric", kit.interval(row.metric, (value) => kit.trial.amount(metric, value))],
                    ["CPU time", kit.interval(row.cpu_ns, kit.duration)],
                    ["CPU time relative to bare", kit.trial.factor(kit.median(row.cpu_ratio)), row.cpu_ratio ? kit.trial.range(row.cpu_ratio) : null],
                ]);
                if (row.coverage) {
                    kit.note(panel, kit.trial.covered(row.coverage));
                }
                dropped(panel, row, kit);
            },
        });
    }

    function failures(parent, doc, kit) {
        const failed = doc.results.filter((row) => row.dropped);
        if (failed.length === 0) {
            return;
        }
        kit.heading(parent, "Locks that were dropped");
        for (const row of failed) {
            kit.subheading(parent, kit.shown(row.lock));
            dropped(parent, row, kit);
        }
    }

    function dropped(parent, row, kit) {
        if (!row.dropped) {
            return;
        }
        kit.problem(parent, kit.trial.reason(row.dropped));
        const lines = String(row.dropped.said || "").trimEnd().split("\n");
        if (lines.join("") !== "") {
            kit.note(parent, "The last lines of the program's standard error:");
            kit.element.into(parent, "pre", { class: "last-words", text: lines.slice(-20).map(kit.shown).join("\n") });
        }
    }

    /** One sentence for all locks that replaced the same kinds of objects and left others for the same reasons. */
    function covered(parent, doc, kit) {
        const groups = new Map();
        for (const row of doc.results) {
            if (row.coverage && row.lock !== "pass-through") {
                const { replaced = [], locks_passed_through: left = [] } = row.coverage;
                const shape = JSON.stringify([replaced.map(({ kind }) => kind), left.map(({ reason }) => reason)]);
                groups.set(shape, [...(groups.get(shape) || []), row]);
            }
        }
        if (groups.size > 0) {
            kit.heading(parent, "Replaced objects");
        }
        for (const rows of groups.values()) {
            const whose = groups.size > 1 ? rows.map(({ lock }) => kit.shown(lock)).join(", ") + ": " : "";
            kit.note(parent, whose + kit.trial.covered(rows[0].coverage));
        }
    }
}
