"use strict";
// locktoll.kernel/1: waits for the kernel's own locks.
{
    const WORDS = {
        spin: "spin lock",
        rwlock_read: "rwlock, read",
        rwlock_write: "rwlock, write",
        rwsem_read: "rwsem, read",
        rwsem_write: "rwsem, write",
        mutex: "mutex",
        percpu_read: "percpu, read",
        percpu_write: "percpu, write",
        rt: "rt_mutex",
        rt_read: "RT rwlock, read",
        rt_write: "RT rwlock, write",
        other: "other",
    };
    const SPINNING = ["spin", "rwlock_read", "rwlock_write"];
    const words = (row) => WORDS[row.kind] || row.kind;
    const several = (row) => ({ spin: "spin locks", mutex: "mutexes" })[row.kind] || "locks of the kind " + words(row);

    locktoll.draw["locktoll.kernel/1"] = function (doc, section, kit) {
        const command = doc.command ? " while " + kit.cut(kit.shown(doc.command.join(" ")), 80) + " ran" : "";
        kit.title(section, "Waits for the kernel's locks" + command);
        answer(section, doc, kit);
        const { share_of_waiting: own } = doc.probe;
        if (own >= MUCH) {
            kit.problem(section, "Watching itself took " + kit.percent(own) + " of the waiting: read all times as upper bounds, and compare shares rather than totals.");
        }
        kit.doubts(section, doc);
        facts(section, doc, kit);
        if (doc.total.count > 0) {
            lengths(section, doc, kit);
            kit.heading(section, "By kind of lock");
            table(section, doc, kit, "Kinds of locks", doc.kinds, [
                { title: "kind", left: true, value: words },
            ], [
                { title: "gave up", note: "waits that a signal ended without the lock", value: (row) => row.failed, text: (row) => kit.count(row.failed) },
            ]);
            callers(section, doc, kit);
            locks(section, doc, kit);
            kit.heading(section, "By CPU", "The CPU on which a wait ended.");
            table(section, doc, kit, "CPUs", doc.cpus, [{ title: "CPU", value: (row) => row.cpu }], []);
        }
        notes(section, doc, kit);
        kit.surroundings(section, doc);
    };

    /** From this share of the waiting on, the cost of watching is a warning, not a footnote. */
    const MUCH = 0.1;

    /** How long CPUs and threads waited, and the kind of lock with most of it. */
    function answer(section, doc, kit) {
        const { total, duration_ns: ns } = doc;
        const whose = doc.scope === "command" ? "by the command and the processes it started" : "on the whole machine";
        if (total.count === 0) {
            kit.answer(section, { figure: "0", of: "waits in " + kit.duration(ns), tone: "good", said: ["No contended wait for a kernel lock was seen, " + whose + "."] });
            return;
        }
        const [kind] = [...doc.kinds].sort((a, b) => b.total_ns - a.total_ns);
        const [lock] = [...(doc.locks || [])].sort((a, b) => b.total_ns - a.total_ns);
        const [caller] = [...(doc.callers || [])].filter((row) => row.function).sort((a, b) => b.total_ns - a.total_ns);
        const asked = caller ? " " + kit.shown(caller.function) + " asked for the lock in " + kit.share(caller.total_ns, total.total_ns) + " of the waiting." : "";
        const named = lock && lock.name ? " The lock with most of the waiting is " + kit.shown(lock.name) + ": " + kit.share(lock.total_ns, total.total_ns) + "." : "";
        kit.answer(section, {
            figure: kit.duration(total.total_ns),
            of: "waited for kernel locks in " + kit.duration(ns) + ", " + whose + ": all waits added up",
            said: [kit.share(kind.total_ns, total.total_ns) + " of the waiting was for " + several(kind) + "." + asked + named],
        });
    }

    function facts(section, doc, kit) {
        const { total, probe, duration_ns: ns } = doc;
        const whose = doc.scope === "command" ? "the command and the processes it started" : "the whole machine";
        const cost = probe.begin_ns === null || probe.begin_ns === undefined ? kit.dash : kit.price(probe.begin_ns) + " + " + kit.price(probe.end_ns);
        kit.facts(section, [
            ["Watched for", kit.duration(ns), whose],
            ["Waits", kit.count(total.count), kit.rate((total.count / Math.max(1, ns)) * 1e9) + " per second"],
            ["Longest wait", kit.duration(total.max_ns)],
            ["Cost of watching", cost, "at the beginning and at the end of each wait"],
        ]);
    }

    /** The counts of several kinds, added up. */
    function sum(rows) {
        const log2 = [];
        for (const row of rows) {
            row.log2.forEach((count, at) => (log2[at] = (log2[at] || 0) + count));
        }
        return Array.from(log2, (count) => count || 0);
    }

    function lengths(section, doc, kit) {
        const series = [
            { name: "spinning", log2: sum(doc.kinds.filter((row) => SPINNING.includes(row.kind))) },
            { name: "sleeping", log2: sum(doc.kinds.filter((row) => !SPINNING.includes(row.kind))) },
        ].filter(({ log2 }) => log2.some((count) => count > 0));
        kit.heading(section, "How long the waits were", "Waits that spin and waits that sleep, each as shares that add up to 100 %.", "Lengths");
        const both = kit.columns(section);
        kit.histogram(both, { label: "Share of the waits of each length", title: "Waits by length (powers of two)", series });
        kit.cumulative(both, { label: "Share of the waits up to each length", title: "Share of waits up to each length", series });
    }

    function callers(section, doc, kit) {
        if (!doc.callers) {
            return;
        }
        kit.heading(section, "By the function that asked for the lock", null, "By function");
        table(section, doc, kit, "Functions", doc.callers, [
            {
                title: "function",
                left: true,
                value: (row) => row.function,
                text: (row) => (row.function === null ? "no call stack" : kit.shown(row.function)),
                remark: (row) => (row.from.length > 0 ? "\u2190 " + kit.shown(row.from[0]) : null),
            },
            { title: "kind", left: true, value: words },
        ], []);
    }

    function locks(section, doc, kit) {
        if (!doc.locks) {
            return;
        }
        const name = (row) => kit.shown(row.name ?? row.address ?? kit.dash);
        kit.heading(section, "By lock");
        table(section, doc, kit, "Locks", doc.locks, [
            { title: "lock", left: true, value: name },
            { title: "kind", left: true, value: words },
            { title: "asked for by", left: true, value: (row) => row.caller, text: (row) => (row.caller === null ? kit.dash : kit.shown(row.caller)) },
        ], []);
    }

    function table(section, doc, kit, label, rows, first, last) {
        const all = doc.total.total_ns;
        const length = (title, note, of) => ({ title, note, value: of, text: (row) => kit.duration(of(row)) });
        const columns = [
            ...first,
            { title: "waits", value: (row) => row.count, text: (row) => kit.count(row.count) },
            {
                ...length("total", "all waits together", (row) => row.total_ns),
                share: (row) => (all > 0 ? row.total_ns / all : 0),
            },
            { title: "of all", note: "share of all waiting", value: (row) => row.total_ns, text: (row) => kit.share(row.total_ns, all) },
            length("median", "half of the waits were no longer; accurate to a factor of two", (row) => row.p50_ns),
            length("p99", "one wait in a hundred was longer; accurate to a factor of two", (row) => row.p99_ns),
            length("longest", "the longest wait", (row) => row.max_ns),
            ...last,
        ];
        kit.table(section, {
            label,
            columns,
            rows,
            filter: rows.length > 8 ? (row) => columns.filter(({ left }) => left).map((it) => (it.text ? it.text(row) : it.value(row))).join(" ") : null,
            open: (row, panel) => {
                if (row.from && row.from.length > 0) {
                    kit.note(panel, "Mostly from " + kit.shown(row.from.join(" \u2190 ")) + ".");
                }
                const series = [{ name: "waits", log2: row.log2 }];
                const both = kit.columns(panel);
                kit.histogram(both, { label: "Number of these waits by length", title: "Waits by length (powers of two)", series });
                kit.cumulative(both, { label: "Share of these waits up to each length", title: "Share of waits up to each length", series });
            },
        });
    }

    function notes(section, doc, kit) {
        const { probe, lost } = doc;
        if (probe.why_not) {
            kit.note(section, "The cost of watching is not known: " + kit.shown(probe.why_not) + ".");
        } else if (!(probe.share_of_waiting >= MUCH) && probe.share_of_waiting !== null && probe.share_of_waiting !== undefined) {
            kit.note(section, "Watching itself took " + kit.percent(probe.share_of_waiting) + " of the waiting, and " + kit.percent(probe.share_of_time) + " of the time of all CPUs.");
        }
        const gone = Object.entries(lost).filter(([, count]) => count > 0);
        kit.note(
            section,
            gone.length === 0
                ? "Nothing was lost."
                : "Lost: " + gone.map(([reason, count]) => kit.shown(reason) + " " + kit.count(count)).join(", ") + ".",
        );
        if (doc.why_no_names) {
            kit.note(section, "Names are missing: " + kit.shown(doc.why_no_names) + ".");
        }
        kit.note(
            section,
            "Only waits are seen, not acquisitions without a wait and not hold times, so all shares are shares of waiting. Of spin locks, only " +
                "queued waiters are seen; without a paravirtual kernel, the next in line is missing. Of rw_semaphores, only waiters that slept " +
                "are seen.",
        );
    }
}
