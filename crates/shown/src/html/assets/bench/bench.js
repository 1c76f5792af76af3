"use strict";
// locktoll.bench/1: locks by one parameter, and one setting in detail.
{
    /** Lines that are drawn at first; a click on a name adds its line. */
    const LINES = 12;

    locktoll.draw["locktoll.bench/1"] = function (doc, section, kit) {
        const { cells } = doc;
        const bench = kit.bench;
        const knobs = bench.knobs(cells);
        const locks = [...new Set(cells.map((cell) => cell.lock))];
        kit.title(section, "locktoll bench", kit.counted(locks.length, "lock", "locks") + " in " + kit.counted(cells.length, "cell", "cells"));
        bench.answer(section, doc, knobs);
        kit.doubts(section, doc, failures(cells, knobs, kit));
        if (cells.length === 0) {
            kit.surroundings(section, doc);
            return;
        }
        const state = { axis: axisAtFirst(knobs), figure: "throughput", at: {} };
        for (const knob of knobs) {
            // Where contention is highest, differences are largest.
            state.at[knob.name] = knob.name === "threads" ? knob.values[knob.values.length - 1] : knob.values[0];
        }
        if (knobs.length > 0) {
            const tools = kit.element.into(section, "div", { class: "choices" });
            if (knobs.length > 1) {
                kit.choice(tools, {
                    label: "By",
                    options: knobs.map((knob) => [knob.name, knob.title]),
                    chosen: state.axis,
                    change: (name) => ((state.axis = name), draw()),
                });
            }
            kit.choice(tools, {
                label: "Show",
                options: Object.entries(bench.figures).map(([name, { title }]) => [name, title]),
                chosen: state.figure,
                change: (name) => ((state.figure = name), draw()),
            });
        }
        const along = kit.element.into(section, "div");
        const heading = kit.element.into(section, "div");
        const detail = kit.element.into(section, "div");
        if (knobs.length > 0) {
            kit.heading(heading, "One setting in detail", null, "One setting");
            const tools = kit.element.into(heading, "div", { class: "choices" });
            for (const knob of knobs) {
                kit.choice(tools, {
                    label: knob.title,
                    options: knob.values.map((value) => [value, knob.text(value)]),
                    chosen: state.at[knob.name],
                    change: (value) => ((state.at[knob.name] = value), draw()),
                });
            }
        }
        draw();
        table(section, doc, knobs, kit);
        kit.surroundings(section, doc, settings(doc, kit));

        function draw() {
            along.replaceChildren();
            detail.replaceChildren();
            const fixed = (cell, but) => knobs.every(({ name }) => name === but || bench.key(cell[name]) === bench.key(state.at[name]));
            if (knobs.length > 0) {
                const axis = knobs.find(({ name }) => name === state.axis);
                const shown = cells.filter((cell) => fixed(cell, state.axis));
                bench.lines(along, { doc, locks, axis, cells: shown, knobs, figure: bench.figures[state.figure], most: LINES });
            }
            bench.detail(detail, { doc, locks, cells: cells.filter((cell) => fixed(cell)), knobs });
        }
    };

    /** Threads if they differ, else the parameter with the most numbers. */
    function axisAtFirst(knobs) {
        const numbers = knobs.filter(({ numeric }) => numeric).sort((a, b) => b.values.length - a.values.length);
        const first = knobs.find(({ name }) => name === "threads") || numbers[0] || knobs[0];
        return first ? first.name : null;
    }

    /** The settings that were asked for, and how they were measured. */
    function settings(doc, kit) {
        const { length } = doc.cells[0];
        const pairs = doc.noise.same_lock_twice || [];
        const off = Math.max(...pairs.map(({ ratio }) => Math.max(ratio.high, 1 / ratio.low)));
        return [
            ...kit.bench.shared(doc.cells).map(([title, text]) => title + " " + text),
            kit.counted(doc.repeat, "round", "rounds") + ", interleaved, with slices of " + (length.time ? kit.duration(length.time.ns) : kit.counted(length.rounds.each, "operation", "operations")),
            ...(doc.until ? ["rounds were added until intervals end within " + kit.percent(doc.until.share) + " of their medians: " + (doc.until.wider === 0 ? "reached" : "not reached in " + kit.counted(doc.until.wider, "cell", "cells")) + " with up to " + kit.counted(doc.until.rounds, "round", "rounds")] : []),
            pairs.length > 0 ? "the same lock measured twice differed by up to " + off.toFixed(2) + "\u00d7" : "no lock was measured twice",
            ...(doc.noise.placement ? ["placement of lock, data and threads: " + kit.placement(doc.noise.placement)] : []),
            "empty loop " + kit.price(kit.median(doc.empty_loop_ns)) + ", subtracted with one thread",
        ];
    }

    /** Cells that could not be measured properly: each lock once, with its settings. */
    function failures(cells, knobs, kit) {
        const byRemark = new Map();
        for (const cell of cells) {
            const remark = kit.bench.remark(cell);
            if (remark) {
                const key = cell.lock + "\0" + remark;
                byRemark.set(key, [...(byRemark.get(key) || []), cell]);
            }
        }
        return [...byRemark].map(([key, found]) => {
            const [lock, remark] = key.split("\0");
            const everywhere = found.length === cells.filter((cell) => cell.lock === lock).length;
            const where = everywhere || knobs.length === 0 ? "" : " (" + found.map((cell) => kit.bench.setting(cell, knobs)).join("; ") + ")";
            return "\u2715 " + lock + kit.cut(where, 200) + ": " + remark;
        });
    }

    function table(section, doc, knobs, kit) {
        const median = (title, note, of, format) => ({
            title,
            note,
            value: (cell) => kit.median(of(cell)),
            text: (cell) => format(kit.median(of(cell))),
        });
        const few = (number) => (number === null ? kit.dash : number === 0 ? "0" : number < 0.0005 ? "<.001" : number.toFixed(3));
        const range = (estimate) => (estimate && estimate.n > 1 ? "(" + kit.price(estimate.low) + " to " + kit.price(estimate.high) + ")" : null);
        const waits = (name) => (cell) => cell.acquire_ns && cell.acquire_ns[name];
        const fair = (name) => (cell) => (cell.threads > 1 && cell.fairness ? cell.fairness[name] : null);
        kit.heading(section, "All cells", "Open a row for its other figures and the lengths of its waits. Click a heading to sort by it.", "All cells");
        kit.table(section, {
            label: "Cells",
            link: { key: "cell", of: (cell) => [cell.lock, ...knobs.map((knob) => knob.title + " " + knob.text(cell[knob.name] ?? null))].join(", ") },
            columns: [
                {
                    title: "lock",
                    left: true,
                    value: (cell) => cell.lock,
                    text: (cell) => kit.shown(cell.lock),
                    remark: (cell) => (kit.bench.remark(cell) ? "\u2715 " + kit.cut(kit.bench.remark(cell), 60) : null),
                },
                ...knobs.map((knob) => ({
                    title: knob.title,
                    left: !knob.numeric,
                    value: (cell) => (knob.numeric ? cell[knob.name] : knob.text(cell[knob.name] ?? null)),
                    text: (cell) => knob.text(cell[knob.name] ?? null),
                })),
                {
                    ...median("per op", "wall time divided by the operations of all threads, with its 95 % interval (with fewer than six rounds: the least and the most)", (cell) => cell.ns_per_op, kit.price),
                    remark: (cell) => range(cell.ns_per_op),
                },
                median("ops/s", "operations of all threads per second", (cell) => cell.ops_per_second, kit.rate),
                median("p50", "half of the acquisitions were faster", waits("p50"), kit.duration),
                median("p99", "one acquisition in a hundred took longer", waits("p99"), kit.duration),
                median("longest", "the longest of all rounds", waits("max"), kit.duration),
                median("sleeps", "voluntary context switches per operation", (cell) => cell.voluntary_switches_per_op, few),
                median("fairness", "Jain's index: 1 if all threads did the same number of operations", fair("jain"), (it) => (it === null ? kit.dash : it.toFixed(2))),
            ],
            rows: doc.cells,
            filter: (cell) => [cell.lock, cell.workload, ...knobs.map((knob) => knob.title + " " + knob.text(cell[knob.name] ?? null))].join(" "),
            open: (cell, panel) => {
                const remark = kit.bench.remark(cell);
                if (remark) {
                    kit.problem(panel, remark);
                }
                kit.facts(panel, [
                    ["User CPU time per op", kit.price(kit.median(cell.user_ns_per_op))],
                    ["Kernel CPU time per op", kit.price(kit.median(cell.system_ns_per_op))],
                    ["Forced switches per op", few(kit.median(cell.involuntary_switches_per_op)), "involuntary context switches"],
                    ["p99.9 wait", kit.duration(kit.median(waits("p99_9")(cell))), "one in a thousand took longer"],
                    ["Longest run", kit.count(kit.median(fair("longest_run")(cell))), "acquisitions in a row by one thread"],
                ]);
                if (!cell.acquire_ns) {
                    kit.note(panel, "The waits of this cell were not timed.");
                    return;
                }
                const series = [{ name: kit.shown(cell.lock), log2: cell.acquire_ns.log2 }];
                const both = kit.columns(panel);
                kit.histogram(both, { label: "Number of acquisitions by wait", title: "Acquisitions by wait (powers of two)", series });
                kit.cumulative(both, { label: "Share of the acquisitions that waited no longer", title: "Share of acquisitions up to each wait", series });
            },
        });
    }
}
