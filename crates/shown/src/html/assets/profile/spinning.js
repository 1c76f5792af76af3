"use strict";
// Busy waiting: CPU time, code, word, and who ends it. The text form shows the same rows.
{
    const FEWEST = 10;
    const LITTLE = 100;
    const worth = (samples, of) => samples >= FEWEST && samples * LITTLE >= of;

    locktoll.profile.spinning = function (parent, of, kit) {
        const { doc } = of;
        const all = (doc.spin_samples ?? { samples: 0 }).samples;
        const rows = (doc.spinning ?? []).filter((row) => worth(row.cpu_ns.n, all));
        if (rows.length === 0) {
            return;
        }
        kit.heading(
            parent,
            "Busy waiting",
            "CPU time in loops that wait for another thread to write a word of memory, from samples, with 95 % intervals.",
            "Busy waiting",
        );
        const per_cent = (share) => (share * 100).toFixed(0) + " %";
        const state = (name) => (row) => (row.writer_state === null ? null : row.writer_state[name]);
        const share = (title, note, name) => ({
            title,
            note,
            value: state(name),
            text: (row) => (row.writer_state === null ? "\u2013" : per_cent(row.writer_state[name])),
        });
        kit.table(parent, {
            label: "Busy waiting",
            columns: [
                {
                    title: "code",
                    left: true,
                    value: (row) => of.function(row.site),
                    remark: (row) => (row.known_as ? "(" + kit.shown(row.known_as) + ")" : "") + (row.lock ? " in a lock: " + kit.shown(row.lock) : ""),
                },
                { title: "CPU time", note: "An estimate from samples", value: (row) => row.cpu_ns.median, text: (row) => kit.duration(row.cpu_ns.median) },
                { title: "interval", note: "95 %", value: (row) => row.cpu_ns.high, text: (row) => kit.duration(row.cpu_ns.low) + " to " + kit.duration(row.cpu_ns.high) },
                { title: "threads", note: "Threads that were seen in the loop", value: (row) => row.threads, text: (row) => kit.count(row.threads) },
                { title: "word", left: true, note: "The word that the loop waits for", value: (row) => (row.word === null ? "\u2013" : kit.shown(row.word.name)) },
                {
                    title: "written by",
                    left: true,
                    note: "The code that writes the word",
                    value: (row) => (row.writers === null ? "\u2013" : [...new Set(row.writers.map((frame) => of.function(frame)))].slice(0, 3).join(", ")),
                },
                share("running", "The writing threads were on a CPU while others waited", "running"),
                share("no CPU", "The writing threads were ready to run and had no CPU while others waited", "runnable"),
                share("asleep", "The writing threads were asleep while others waited", "asleep"),
            ],
            rows,
            limit: 50,
        });
    };
}
