"use strict";
// locktoll.bench/1: locks along a knob, and one setting in detail.
{
    /** Lines that are drawn at first; the others are a click on their name away. */
    const LINES = 12;

    locktoll.draw["locktoll.bench/1"] = function (doc, section, kit) {
        const { cells } = doc;
        kit.title(section, "locktoll bench", kit.card(doc.machine));
        kit.doubts(section, doc);
        if (cells.length === 0) {
            kit.note(section, "Nothing was measured.");
            kit.surroundings(section, doc);
            return;
        }
        const bench = kit.bench;
        const knobs = bench.knobs(cells);
        const locks = [...new Set(cells.map((cell) => cell.lock))];
        const state = { axis: axisAtFirst(knobs), figure: "throughput", at: {} };
        for (const knob of knobs) {
            // Where contention is highest, differences are largest.
            state.at[knob.name] = knob.name === "threads" ? knob.values[knob.values.length - 1] : knob.values[0];
        }
        facts(section, doc, locks, kit);
        failures(section, cells, knobs, kit);

        if (knobs.length > 0) {
            const tools = kit.element.into(section, "div", { class: "choices" });
            if (knobs.length > 1) {
                kit.choice(tools, {
                    label: "Along",
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
            kit.heading(heading, "One setting in detail");
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
        kit.surroundings(section, doc);

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

    /** Threads if they differ, else the knob of numbers that has most. */
    function axisAtFirst(knobs) {
        const numbers = knobs.filter(({ numeric }) => numeric).sort((a, b) => b.values.length - a.values.length);
        const first = knobs.find(({ name }) => name === "threads") || numbers[0] || knobs[0];
        return first ? first.name : null;
    }

    function facts(section, doc, locks, kit) {
        const pairs = doc.noise.same_lock_twice || [];
        const off = Math.max(...pairs.map(({ ratio }) => Math.max(ratio.high, 1 / ratio.low)));
        const length = doc.cells[0].length;
        kit.facts(section, [
            ["Locks", kit.count(locks.length), "in " + kit.counted(doc.cells.length, "cell", "cells")],
            ["Rounds", kit.count(doc.repeat), "interleaved, slices of " + (length.time ? kit.duration(length.time.ns) : kit.counted(length.rounds.each, "operation", "operations"))],
            ["The same lock twice", pairs.length > 0 ? "up to " + off.toFixed(2) + "x" : kit.dash, pairs.length > 0 ? "differences within this mean nothing" : "no A/A pair was measured"],
            ["Empty loop", kit.price(kit.median(doc.empty_loop_ns)), "subtracted with one thread"],
            ...kit.bench.shared(doc.cells).map(([title, text]) => [title.charAt(0).toUpperCase() + title.slice(1), text]),
        ]);
    }

    /** What could not be measured, or not as it should: each lock once, with where. */
    function failures(section, cells, knobs, kit) {
        const byRemark = new Map();
        for (const cell of cells) {
            const remark = kit.bench.remark(cell);
            if (remark) {
                const key = cell.lock + "\0" + remark;
                byRemark.set(key, [...(byRemark.get(key) || []), cell]);
            }
        }
        for (const [key, found] of byRemark) {
            const [lock, remark] = key.split("\0");
            const everywhere = found.length === cells.filter((cell) => cell.lock === lock).length;
            const where = everywhere || knobs.length === 0 ? "" : " (" + found.map((cell) => kit.bench.setting(cell, knobs)).join("; ") + ")";
            kit.problem(section, "\u2715 " + kit.shown(lock) + kit.cut(where, 200) + ": " + remark);
        }
    }

    function table(section, doc, knobs, kit) {
        const median = (title, note, of, format) => ({
            title,
            note,
            value: (cell) => kit.median(of(cell)),
            text: (cell) => format(kit.median(of(cell))),
        });
        const few = (number) => (number === null ? kit.dash : number === 0 ? "0" : number < 0.0005 ? "<.001" : number.toFixed(3));
        const range = (estimate) =>
            estimate && estimate.n > 1 ? kit.price(estimate.low) + " to " + kit.price(estimate.high) : kit.dash;
        const waits = (name) => (cell) => cell.acquire_ns && cell.acquire_ns[name];
        const fair = (name) => (cell) => (cell.threads > 1 && cell.fairness ? cell.fairness[name] : null);
        kit.heading(section, "All cells", "A row opens to the lengths of its waits. Headings sort.");
        kit.table(section, {
            label: "Cells",
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
                median("per op", "wall time over operations of all threads", (cell) => cell.ns_per_op, kit.price),
                {
                    title: "95 % interval",
                    note: "of the median; with fewer than six rounds the least and the most",
                    value: (cell) => (cell.ns_per_op ? cell.ns_per_op.high - cell.ns_per_op.low : null),
                    text: (cell) => range(cell.ns_per_op),
                },
                median("ops/s", "operations of all threads a second", (cell) => cell.ops_per_second, kit.rate),
                median("user", "user CPU time an operation", (cell) => cell.user_ns_per_op, kit.price),
                median("kernel", "kernel CPU time an operation", (cell) => cell.system_ns_per_op, kit.price),
                median("sleeps", "voluntary switches an operation", (cell) => cell.voluntary_switches_per_op, few),
                median("forced", "involuntary switches an operation", (cell) => cell.involuntary_switches_per_op, few),
                median("p50", "half of the acquisitions were faster", waits("p50"), kit.duration),
                median("p99", "one acquisition in a hundred took longer", waits("p99"), kit.duration),
                median("p99.9", "one in a thousand took longer", waits("p99_9"), kit.duration),
                median("longest", "the longest of all rounds", waits("max"), kit.duration),
                median("jain", "1 when all threads did the same", fair("jain"), (it) => (it === null ? kit.dash : it.toFixed(2))),
                median("run", "most acquisitions in a row by one thread", fair("longest_run"), kit.count),
            ],
            rows: doc.cells,
            filter: (cell) => [cell.lock, cell.workload, ...knobs.map((knob) => knob.title + " " + knob.text(cell[knob.name] ?? null))].join(" "),
            open: (cell, panel) => {
                const remark = kit.bench.remark(cell);
                if (remark) {
                    kit.problem(panel, remark);
                }
                if (!cell.acquire_ns) {
                    kit.note(panel, "No waits were timed.");
                    return;
                }
                const series = [{ name: kit.shown(cell.lock), log2: cell.acquire_ns.log2 }];
                const both = kit.columns(panel);
                kit.histogram(both, { label: "How many acquisitions took how long", caption: "Acquisitions by how long they took (powers of two).", series });
                kit.cumulative(both, { label: "What share of the acquisitions was not longer", caption: "Share of the acquisitions that were not longer.", series });
            },
        });
    }
}
