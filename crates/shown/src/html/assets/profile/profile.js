"use strict";
// `locktoll.profile/1`: the order of its parts.
locktoll.draw["locktoll.profile/1"] = function (doc, section, kit) {
    const { reading, time, locks, flame, signals, threads, recorder } = locktoll.profile;
    const of = reading(doc);
    const isAttached = doc.source === "attach";

    const command = kit.shown(doc.command.join(" "));
    kit.title(section, kit.cut(command, 160) || "(no command)", isAttached ? "What this running program waited for, seen from the kernel by locktoll" : "What the locks of this program cost, recorded by locktoll");
    glance(section);
    if (isAttached) {
        kit.note(section, "Seen are waits that entered the kernel, by lock and place; not acquisitions without a wait, spinning and holds.");
    }
    if (doc.dropped.after_stop > 0) {
        const missing = kit.counted(doc.dropped.after_stop, "acquisition is", "acquisitions are");
        kit.problem(section, "Recording stopped before the program did: " + missing + " missing below; the notes say why");
    }
    for (const warning of doc.warnings.slice(0, 3)) {
        kit.problem(section, kit.shown(warning));
    }
    time(section, of, kit);
    locks(section, of, kit);
    flame(section, of, kit);
    signals(section, of, kit);
    threads(section, of, kit);
    recorder(section, of, kit);

    function yields() {
        return doc.yields > 0 ? " (" + (isAttached ? "" : "up to ") + kit.count(doc.yields) + " by sched_yield)" : "";
    }

    function glance(parent) {
        const cpu = doc.user_ns === null || doc.system_ns === null ? null : doc.user_ns + doc.system_ns;
        const processes = new Set(doc.processes.map((process) => process.pid)).size;
        const switches =
            doc.voluntary_switches === null || doc.involuntary_switches === null
                ? null
                : doc.voluntary_switches + doc.involuntary_switches;
        const unended = doc.locks.filter((lock) => lock.used_as === "lock" && lock.still_waiting > 0);
        const still = unended.reduce((sum, lock) => sum + lock.still_waiting_ns, 0);
        kit.facts(parent, [
            ["elapsed", kit.duration(doc.duration_ns)],
            [
                "CPU time",
                kit.duration(cpu),
                cpu === null ? null : kit.duration(doc.user_ns) + " user, " + kit.duration(doc.system_ns) + " kernel",
            ],
            ["threads", kit.count(doc.threads), processes > 1 ? "in " + kit.count(processes) + " processes" : null],
            [
                "waited for locks",
                kit.duration(doc.wait_ns + still),
                kit.share(doc.wait_ns + still, doc.thread_time_ns) + " of the threads' time",
            ],
            [
                "context switches",
                kit.count(switches),
                switches === null ? null : kit.count(doc.involuntary_switches) + " of them involuntary" + yields(),
            ],
            !isAttached && [
                "recorder's cost",
                doc.recorder.ns_per_pair === null ? kit.dash : kit.price(doc.recorder.ns_per_pair),
                "added to an acquisition and release",
            ],
        ].filter(Boolean));
    }
};
