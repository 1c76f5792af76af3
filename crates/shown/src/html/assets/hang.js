"use strict";
// locktoll.hang/1: the threads of a process that makes no progress, and who waits for whom.
locktoll.draw["locktoll.hang/1"] = function (doc, section, kit) {
    const locks = new Map(doc.locks.map((it) => [it.id, it]));
    const waits = (it) => {
        if (it.joins_tid) {
            return "the end of thread " + it.joins_tid;
        }
        return it.lock ? kit.shown(locks.get(it.lock)?.name ?? it.lock) : it.call && kit.shown(it.call.name);
    };
    const [chain] = doc.chains;
    const count = doc.deadlocks.length;
    kit.title(section, "Who waits for whom in " + (doc.core ? kit.shown(doc.core) : "process " + doc.pid));
    kit.answer(section, {
        figure: String(count),
        of: count === 1 ? "deadlock" : "deadlocks",
        tone: count > 0 ? "bad" : "good",
        said: [chain ? chain.waiting + " threads wait, directly or indirectly, for thread " + chain.root_tid + "." : ""],
    });
    for (const { threads } of doc.deadlocks) {
        kit.problem(section, "Deadlock: thread " + [...threads, threads[0]].join(" waits for thread ") + ".");
    }
    const place = (it) => kit.shown((it.function ?? it.module ?? "?") + (it.file ? " (" + it.file + ":" + it.line + ")" : ""));
    kit.table(section, {
        label: "Threads",
        columns: [
            { title: "thread", value: (row) => row.tid },
            { title: "waits for", left: true, value: waits },
        ],
        rows: doc.threads,
        open: (row, panel) => kit.note(panel, row.stack.map(place).join(" \u2190 ")),
    });
    kit.provenance(section, doc, [kit.shown(doc.command.join(" "))]);
};
