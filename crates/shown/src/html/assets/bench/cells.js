"use strict";
// The cells of a bench result: the parameters that differ, the remarks on a cell, and the figures that can be drawn.
//
//     kit.bench.knobs(cells)      parameters with more than one value: {name, title, values, text(value), numeric}
//     kit.bench.remark(cell)      the fault of a cell's figures, or null
//     kit.bench.figures           the figures that a line can show: {throughput, price, wait ...} with title, of(cell), format
{
    const kit = locktoll.kit;
    const bench = (kit.bench = {});

    const plain = (value) => (value === null ? "its own" : kit.shown(value));
    const arrival = (value) => (value && value.open ? kit.rate(value.open.per_second) + "/s" : "closed loop");
    const length = (value) =>
        value && value.time ? kit.duration(value.time.ns) : value && value.rounds ? kit.counted(value.rounds.each, "round", "rounds") : plain(value);

    /** Parameters of a cell apart from its lock, in the order in which a command line names them. */
    const KNOBS = [
        ["workload", "workload", plain],
        ["threads", "threads", plain],
        ["depth", "depth", plain],
        ["nested", "nested", (value) => (value ? "nested" : "single")],
        ["hold_ns", "hold", kit.duration],
        ["delay", "delay (up to N x 100 ns)", plain],
        ["think_ns", "think", kit.duration],
        ["sleep_points", "yields", plain],
        ["active", "active threads", (value) => (value === null ? "all" : plain(value))],
        ["gate", "gate", plain],
        ["spin", "spin count", plain],
        ["read_ratio", "share of reads", kit.percent],
        ["stripes", "stripes", plain],
        ["align", "bytes into the line", plain],
        ["nice", "nice", plain],
        ["background", "process", (value) => (value ? "background" : "foreground")],
        ["raise_while_holding", "priority while holding", (value) => (value ? "raised" : "as it is")],
        ["hogs", "hogs", plain],
        ["arrival", "arrival", arrival],
        ["length", "length of a slice", length],
    ];

    /** The fields of a cell, apart from its parameters, before the first figure. */
    const NO_KNOBS = new Set(["lock", "cpus"]);

    /** KNOBS, and each field before the last of them that is not in the list: a parameter of a later version. */
    const knobsOf = function (cells) {
        const known = new Set(KNOBS.map(([name]) => name));
        const later = new Set();
        for (const cell of cells) {
            const names = Object.keys(cell);
            for (const name of names.slice(0, Math.max(0, names.indexOf("length")))) {
                if (!known.has(name) && !NO_KNOBS.has(name)) {
                    later.add(name);
                }
            }
        }
        return KNOBS.concat([...later].map((name) => [name, name.replaceAll("_", " "), plain]));
    };

    bench.key = (value) => JSON.stringify(value ?? null);

    bench.knobs = function (cells) {
        return knobsOf(cells).flatMap(([name, title, text]) => {
            const byKey = new Map(cells.map((cell) => [bench.key(cell[name]), cell[name] ?? null]));
            const values = [...byKey.values()];
            if (values.length < 2) {
                return [];
            }
            const numeric = values.every((value) => typeof value === "number");
            if (numeric) {
                values.sort((a, b) => a - b);
            }
            return [{ name, title, text, values, numeric }];
        });
    };

    /** The parameters that all cells share, unless at rest; the length of a slice is shown elsewhere. */
    bench.shared = function (cells) {
        const first = cells[0];
        const rest = { depth: 1, nested: false, hold_ns: 0, delay: 0, think_ns: 0, sleep_points: "none", active: null, gate: null,
            spin: null, read_ratio: 0, stripes: 1, align: 0, nice: 0, background: null, raise_while_holding: null, hogs: 0, arrival: "closed" };
        if (!first) {
            return [];
        }
        const varying = new Set(bench.knobs(cells).map(({ name }) => name));
        return knobsOf(cells).filter(([name]) => name !== "length" && !varying.has(name) && bench.key(first[name]) !== bench.key(rest[name])).map(
            ([name, title, text]) => [title, text(first[name])],
        );
    };

    /** The setting in words: "4 threads, hold 1.00 µs". */
    bench.setting = (cell, knobs) =>
        knobs.map((knob) => (knob.name === "threads" ? kit.counted(cell.threads, "thread", "threads") : knob.title + " " + knob.text(cell[knob.name] ?? null))).join(", ");

    bench.remark = function (cell) {
        const said = [];
        if (cell.cut_off) {
            const threads = kit.counted(cell.cut_off.threads, "thread was", "threads were");
            said.push("cut off: " + threads + " still running " + kit.duration(cell.cut_off.waited_ns) + " after they were asked to stop; the figures cover the time before that");
        }
        if (cell.exclusion_broken) {
            said.push("let two threads in at once: " + kit.shown(cell.exclusion_broken));
        }
        if (cell.idle_slices > 0) {
            said.push("no operation was completed in " + kit.counted(cell.idle_slices, "slice", "slices") + "; each is counted as one operation that takes the whole slice, which is too little");
        }
        if (cell.modes) {
            said.push(kit.modes(cell.modes));
        }
        if (cell.arrival && cell.arrival.open && cell.ops_per_second && cell.ops_per_second.median < 0.95 * cell.arrival.open.per_second) {
            said.push("saturated: " + kit.rate(cell.ops_per_second.median) + "/s of the " + arrival(cell.arrival) + " that arrived were served");
        }
        if (cell.failure) {
            // Reasons that begin with the lock's name need not say it twice.
            const own = cell.lock + ": ";
            said.push(kit.shown(cell.failure.startsWith(own) ? cell.failure.slice(own.length) : cell.failure));
        }
        return said.length > 0 ? said.join("; ") : null;
    };

    const whole = (estimate) => (estimate ? estimate : null);
    const acquire = (name) => (cell) => whole(cell.acquire_ns && cell.acquire_ns[name]);
    const perSecond = (number) => kit.rate(number) + "/s";

    bench.figures = {
        throughput: { title: "throughput", unit: "operations per second, all threads", of: (cell) => whole(cell.ops_per_second), format: perSecond, more: true },
        price: { title: "time per operation", unit: "wall time divided by the operations of all threads", of: (cell) => whole(cell.ns_per_op), format: kit.price, more: false },
        p50: { title: "median wait", unit: "half of the acquisitions were faster", of: acquire("p50"), format: kit.duration, more: false },
        p99: { title: "p99 wait", unit: "one acquisition in a hundred waited longer", of: acquire("p99"), format: kit.duration, more: false },
        p99_9: { title: "p99.9 wait", unit: "one in a thousand waited longer", of: acquire("p99_9"), format: kit.duration, more: false },
        longest: {
            title: "longest wait",
            unit: "of all rounds",
            of: (cell) => (cell.acquire_ns ? { median: cell.acquire_ns.max } : null),
            format: kit.duration,
            more: false,
        },
    };

    /** The parts of the threads' time per operation, in nanoseconds; `null` without figures. */
    bench.split = function (cell) {
        const [per, user, kernel] = [cell.ns_per_op, cell.user_ns_per_op, cell.system_ns_per_op].map(kit.median);
        if (per === null || user === null || kernel === null) {
            return null;
        }
        // The empty loop was taken off the price, not off the CPU time.
        const all = (per + (cell.empty_loop_ns || 0)) * cell.threads;
        return { user, kernel, off: Math.max(0, all - user - kernel), all: Math.max(all, user + kernel) };
    };
}
