"use strict";
// locktoll.hang/1: the threads of a process that makes no progress, and who waits for whom.
{
    locktoll.draw["locktoll.hang/1"] = function (doc, section, kit) {
        const of = doc.core ? "the core file " + kit.shown(doc.core) : "process " + kit.shown(String(doc.pid ?? "?"));
        kit.title(section, "Who waits for whom in " + of);
        const know = knowledge(doc, kit);
        answer(section, doc, kit, know);
        for (const { threads } of doc.deadlocks) {
            const steps = threads.slice(0, 64).map((tid) => know.thread(tid) + " waits for " + know.waits(know.threads.get(tid)));
            kit.problem(section, "Deadlock: " + steps.join("; ") + "; back to " + know.thread(threads[0]) + ".");
        }
        tables(section, doc, kit, know);
        for (const note of doc.notes || []) {
            kit.note(section, kit.shown(note));
        }
        kit.provenance(section, doc, [kit.count(doc.threads.length) + " threads", kit.cut(kit.shown(doc.command.join(" ")), 80)]);
    };

    /** Threads and locks by their ids, in words. */
    function knowledge(doc, kit) {
        const threads = new Map(doc.threads.map((it) => [it.tid, it]));
        const locks = new Map(doc.locks.map((it) => [it.id, it]));
        const lock = (id) => kit.shown(locks.has(id) ? locks.get(id).name : id);
        const thread = (tid) => "thread " + tid + (threads.has(tid) && threads.get(tid).name ? " (" + kit.shown(threads.get(tid).name) + ")" : "");
        const waits = (it) => {
            if (!it || it.waits_for === "nothing") {
                return null;
            }
            if (it.waits_for === "join") {
                return "the end of " + (it.joins_tid ? thread(it.joins_tid) : "a thread");
            }
            return it.lock ? lock(it.lock) : it.call && kit.shown(it.call.name + (it.call.file ? " on " + it.call.file : ""));
        };
        return { threads, lock, thread, waits };
    }

    function answer(section, doc, kit, know) {
        const count = doc.deadlocks.length;
        const [chain] = doc.chains;
        if (count > 0) {
            kit.answer(section, { figure: String(count), of: count === 1 ? "deadlock" : "deadlocks", tone: "bad", said: ["None of the threads in it can continue."] });
        } else if (chain) {
            const of = "threads wait, directly or indirectly, for " + know.thread(chain.root_tid);
            kit.answer(section, { figure: kit.count(chain.waiting), of, said: ["There is no deadlock."] });
        } else {
            kit.answer(section, { figure: "0", of: "deadlocks", tone: "good", said: ["No thread is seen to wait for another."] });
        }
    }

    function tables(section, doc, kit, know) {
        if (doc.chains.length > 0) {
            kit.heading(section, "Who holds up others");
            kit.table(section, {
                label: "Chains",
                columns: [
                    { title: "thread", left: true, value: (row) => know.thread(row.root_tid) },
                    { title: "waiting", note: "threads that wait for it, directly or indirectly", value: (row) => row.waiting },
                    { title: "holds", left: true, value: (row) => row.locks.map(know.lock).join(", ") || null },
                    { title: "is in", left: true, value: (row) => know.waits(know.threads.get(row.root_tid)) },
                ],
                rows: doc.chains,
            });
        }
        if (doc.locks.length > 0) {
            kit.heading(section, "Objects that threads wait for");
            kit.table(section, {
                label: "Objects",
                columns: [
                    { title: "object", left: true, value: (row) => kit.shown(row.name) },
                    { title: "kind", left: true, value: (row) => kit.shown(row.kind) },
                    { title: "waiting", value: (row) => row.waiting },
                    { title: "holder", left: true, value: (row) => (row.owner_tid === null ? row.note && kit.shown(row.note) : know.thread(row.owner_tid)) },
                ],
                rows: doc.locks,
            });
        }
        kit.heading(section, "Threads");
        const place = ({ function: name, module, file, line }) => kit.shown((name ?? module ?? "?") + (file ? " (" + file + ":" + line + ")" : ""));
        kit.table(section, {
            label: "Threads",
            columns: [
                { title: "thread", left: true, value: (row) => row.tid, text: (row) => know.thread(row.tid) },
                { title: "waits for", left: true, value: know.waits },
                { title: "for", value: (row) => row.since_ns, text: (row) => (row.since_ns === null ? kit.dash : kit.duration(row.since_ns)) },
                { title: "idle", left: true, value: (row) => (row.is_idle ? "yes" : "no") },
            ],
            rows: doc.threads,
            filter: doc.threads.length > 8 ? (row) => JSON.stringify(row) : null,
            open: (row, panel) => kit.note(panel, row.stack.map(place).join(" \u2190 ")),
            opens: (row) => row.stack.length > 0,
        });
    }
}
