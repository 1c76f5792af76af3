"use strict";
// `locktoll.profile/1`: the order of its parts.
locktoll.draw["locktoll.profile/1"] = function (doc, section, kit) {
    const { answer, reading, time, locks, flame, spinning, signals, threads, recorder } = locktoll.profile;
    const of = reading(doc);
    const isAttached = doc.source === "attach";

    const command = kit.shown(doc.command.join(" "));
    kit.title(section, kit.cut(command, 160) || "(no command)", isAttached ? "Waits of a running program, seen from the kernel" : "The locks of a program, recorded");
    answer(section, of);
    if (doc.dropped.after_stop > 0) {
        const missing = kit.counted(doc.dropped.after_stop, "acquisition is", "acquisitions are");
        kit.problem(section, "Recording stopped before the program did: " + missing + " missing below; the notes say why");
    }
    kit.doubts(section, doc);
    glance(section);
    if (isAttached) {
        kit.note(section, "Waits that entered the kernel are seen, by lock and place; acquisitions without a wait, spinning for a lock and hold times are not.");
    }
    time(section, of, kit);
    locks(section, of, kit);
    locktoll.profile.timeline?.(section, of, kit);
    flame(section, of, kit);
    spinning(section, of, kit);
    signals(section, of, kit);
    threads(section, of, kit);
    recorder(section, of, kit);
    kit.provenance(section, doc, ["schema " + kit.shown(doc.schema)]);

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
        // The kernel counts a process's time from before the recording begins in it.
        const isBefore = !isAttached && cpu > doc.duration_ns * doc.threads;
        kit.facts(parent, [
            [isAttached ? "Watched for" : "Elapsed", kit.duration(doc.duration_ns), isBefore ? "from the first call that was recorded" : null],
            [
                "CPU time",
                kit.duration(cpu),
                cpu === null ? null : kit.duration(doc.user_ns) + " user, " + kit.duration(doc.system_ns) + " kernel" + (isBefore ? ", loading the program included" : ""),
            ],
            ["Threads", kit.count(doc.threads), processes > 1 ? "in " + kit.count(processes) + " processes" : null],
            [
                "Context switches",
                kit.count(switches),
                switches === null ? null : kit.count(doc.involuntary_switches) + " of them involuntary" + yields(),
            ],
        ]);
    }
};
