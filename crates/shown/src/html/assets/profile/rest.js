"use strict";
// The parts below the locks: events, threads, and the cost and losses of recording.
{
    const wording = {
        after_stop: ["acquisition after recording had stopped", "acquisitions after recording had stopped"],
        sites: ["acquisition without a call site (counted under its lock)", "acquisitions without a call site (counted under their lock)"],
        threads: ["thread without a record of its life", "threads without a record of their life"],
        stacks: ["stack (its waits are counted under its call site)", "stacks (their waits are counted under their call site)"],
        modules: ["mapped file without names", "mapped files without names"],
        damaged: ["damaged piece of the recording", "damaged pieces of the recording"],
        waits: ["wait", "waits"],
        wakes: ["call that wakes", "calls that wake"],
    };

    locktoll.profile.signals = function (parent, of, kit) {
        // No thread has waited for the others, signalled or not.
        const rows = of.signals.filter(({ lock }) => lock.signal && (lock.signal.waits > 0 || lock.signal.wait_ns.total > 0));
        rows.sort((a, b) => b.lock.signal.wait_ns.total - a.lock.signal.wait_ns.total);
        const rest = of.page.rest || { signals: 0 };
        if (rows.length === 0) {
            return;
        }
        const relocks = rows.some(({ lock }) => lock.signal.relock_ns > 0);
        kit.heading(
            parent,
            "Waits for events",
            "Condition variables, barriers and the like, at which threads wait for each other. This is not contention." +
                (relocks ? " The re-lock is part of the wait; contention in it counts again under the mutex." : ""),
            "Events",
        );
        const figure = (title, note, value, format, more = "") => ({
            title,
            note,
            value: ({ lock }) => value(lock, lock.signal),
            text: ({ lock }) => format(value(lock, lock.signal)),
            more,
        });
        // No thread signals a barrier: the last to arrive opens it.
        const signalled = (lock, number) => (lock.kind === "barrier" ? null : number);
        const columns = [
            {
                title: "waited for",
                left: true,
                value: (row) => row.beside.name,
                text: of.rowName,
                remark: (row) => of.remark(row) || "(mutex)",
                more: "\u2026 " + kit.count(rest.signals) + " more",
            },
            figure("wait", "Time waited, all threads together", (_, signal) => signal.wait_ns.total, kit.duration, kit.duration(rest.signal_wait_ns)),
            figure("calls", "Calls that returned", (_, signal) => signal.waits, kit.count, kit.count(rest.signal_waits)),
            figure("blocked", "Calls that had to wait", (_, signal) => signal.blocked, kit.count),
            figure("p50", "Half of the waits were no longer", (_, signal) => signal.wait_ns.p50, kit.duration),
            figure("p99", "99 in 100 of the waits were no longer", (_, signal) => signal.wait_ns.p99, kit.duration),
            figure(
                "re-lock",
                "From the last signal to the return: waking up and acquiring the mutex again",
                (lock, signal) => (lock.kind === "condvar" ? signal.relock_ns : null),
                kit.duration,
            ),
            figure("signals", "Calls that woke one waiter or all", (lock, signal) => signalled(lock, signal.signals === null ? null : signal.signals + signal.broadcasts), kit.count),
            figure("to all", "Calls that woke all waiters", (lock, signal) => signalled(lock, signal.broadcasts), kit.count),
        ];
        kit.table(parent, {
            label: "Events",
            columns,
            rows,
            filter: rows.length > 10 ? of.searched : null,
            opens: (row) => row.beside.opens,
            open: (row, panel) => locktoll.profile.opened(panel, row, of),
            link: { key: "event", of: of.linkName, also: (row) => row.lock.id },
            limit: 50,
            rest: rest.signals > 0 ? columns.map((column) => column.more) : null,
        });
        const still = rows.reduce((sum, { lock }) => sum + lock.still_waiting, 0);
        if (still > 0) {
            const ns = rows.reduce((sum, { lock }) => sum + lock.still_waiting_ns, 0);
            const threads = still === 1 ? "1 thread was" : kit.count(still) + " threads were";
            kit.note(parent, threads + " still waiting for an event at the end" + (ns > 0 ? ", " + kit.duration(ns) + " together" : "") + "; that is not in these figures");
        }
    };

    locktoll.profile.threads = function (parent, of, kit) {
        const { doc, page } = of;
        if (doc.per_thread.length === 0) {
            return;
        }
        kit.heading(parent, "Threads", "Shares of each thread's lifetime; each row adds up to 100 %.", "Threads");
        const parts = new Map(doc.per_thread.map((thread) => [thread, locktoll.profile.parts(thread, doc)]));
        const isKnown = { running: (it) => it.cpu_ns !== null, cpu: (it) => it.cpu_wait_ns !== null, locks: (it) => it.lock_wait_ns !== null, signals: (it) => it.signal_wait_ns !== null };
        const part = (title, note, cause) => {
            const value = (thread) => (isKnown[cause] && !isKnown[cause](thread) ? null : (parts.get(thread).get(cause) ?? null));
            return {
                title,
                note,
                value: (thread) => (value(thread) === null ? null : value(thread) / Math.max(1, thread.duration_ns)),
                text: (thread) => kit.share(value(thread), thread.duration_ns),
                share: (thread) => value(thread) === null ? null : value(thread) / Math.max(1, thread.duration_ns),
            };
        };
        const some = (cause) => doc.per_thread.some((thread) => parts.get(thread).get(cause) > 0);
        const number = (title, note, value) => ({ title, note, value, text: (thread) => kit.count(value(thread)) });
        const several = doc.processes.length > 1;
        const name = (thread) => kit.shown(thread.name) || "(no name)";
        const id = (thread) => (several ? thread.pid + "/" + thread.tid : String(thread.tid));
        const started = (thread) => (thread.started_with === null ? "" : of.function(thread.started_with));
        const columns = [
            {
                title: "thread",
                left: true,
                value: name,
                remark: (thread) => "(" + id(thread) + ")" + (started(thread) ? " " + kit.cut(started(thread), 60) : ""),
            },
            { title: "alive", note: "How long it lived", value: (thread) => thread.duration_ns, text: (thread) => kit.duration(thread.duration_ns) },
            part("running", "On a CPU, except spinning for a lock", "running"),
            some("spinning") && part("busy waiting", "On a CPU, in a loop that waits for another thread", "spinning"),
            part("locks", "Waiting for locks: from asking for one to having it", "locks"),
            part("events", "Waiting for events: condition variables, barriers and the like", "signals"),
            some("either") && part("locks or events", "Waiting in system calls, for locks and events together", "either"),
            part("input, output, sleep", "Everything else that a thread waits for", "other"),
            part("CPU queue", "Runnable and waiting for a CPU, except while waiting for a lock", "cpu"),
            some("unknown") && part("not known", "The rest of its lifetime", "unknown"),
            number("voluntary", "Voluntary context switches", (thread) => thread.voluntary_switches),
            number("involuntary", "Involuntary context switches", (thread) => thread.involuntary_switches),
            doc.per_thread.some((thread) => thread.yields > 0) &&
                number("yields", "Involuntary context switches by sched_yield" + (doc.source === "attach" ? "" : ", at most"), (thread) => thread.yields ?? null),
        ].filter(Boolean);
        kit.table(parent, {
            label: "Threads",
            columns,
            rows: doc.per_thread,
            sort: { column: 3, descending: true },
            filter: doc.per_thread.length > 10 ? (thread) => name(thread) + " " + id(thread) + " " + started(thread) : null,
            limit: 50,
        });
        if (page.more_threads > 0) {
            kit.note(parent, "\u2026 and " + kit.counted(page.more_threads, "more thread", "more threads") + " that waited less");
        }
    };

    locktoll.profile.recorder = function (parent, of, kit) {
        const { recorder, dropped } = of.doc;
        const isAttached = of.doc.source === "attach";
        kit.heading(parent, isAttached ? "The watching" : "The cost of recording", null, isAttached ? "Watching" : "Recording");
        const holds = recorder.mode === "exact" ? "every wait and every hold was timed" : "every wait and a sample of the holds were timed";
        const added =
            recorder.ns_per_pair === null
                ? "its cost per acquisition and release was not measured"
                : kit.price(recorder.ns_per_pair) + " added per acquisition and release";
        const cpu = recorder.share_of_cpu === null ? "" : ", " + (recorder.share_of_cpu * 100).toFixed(2) + " % of the CPU time";
        const lost = Object.entries(wording)
            .filter(([what]) => dropped[what] > 0)
            .map(([what, [one, many]]) => kit.counted(dropped[what], one, many));
        const missing = lost.length === 0 ? "nothing was lost" : (isAttached ? "no room for " : "not recorded: ") + lost.join(", ");
        const how = isAttached ? "every wait that ended is counted" : holds + "; " + added + cpu;
        kit.element.into(parent, "p", { text: how + "; " + missing });
        if (of.page.preemption) {
            kit.element.into(parent, "p", { text: "Preemption: " + of.page.preemption });
        }
    };
}
