"use strict";
// locktoll.machine/1: the price list of a machine.
{
    locktoll.draw["locktoll.machine/1"] = function (doc, section, kit) {
        kit.title(section, "What locking costs on this machine", kit.card(doc.machine));
        kit.doubts(section, doc);
        facts(section, doc, kit);
        if (doc.quick) {
            kit.note(section, "The short form (--quick): fewer rounds, wider intervals.");
        }
        kit.machine.handOver(section, doc);
        kit.machine.prices(section, doc);
        const both = kit.columns(section);
        const left = kit.element.into(both, "div");
        const right = kit.element.into(both, "div");
        kit.machine.transfers(left, doc);
        kit.machine.refill(right, doc);
        kit.machine.locks(section, doc);
        others(section, doc, kit);
        kit.surroundings(section, doc);
    };

    function facts(section, doc, kit) {
        const { same_cpu: same, cross_cpu: cross } = doc.decomposition || {};
        const part = (name) => (doc.parts || []).find((it) => it.name === name);
        const named = (name) => (doc.locks || []).find((it) => it.name === name);
        const lock = named("pthread");
        const section_lock = named("critical-section");
        const of = (title, estimate, remark) => (estimate ? [[title, kit.price(kit.median(estimate)), remark]] : []);
        const value = (it) => it && it.value;
        kit.facts(section, [
            ...of("A free pthread mutex", lock && lock.uncontended_ns, "acquired and released"),
            ...of("A free critical section", section_lock && section_lock.uncontended_ns, "entered and left"),
            ...of("A contended hand-over", same && same.total_ns, "on one CPU"),
            ...of("A contended hand-over", cross && cross.total_ns, "across two CPUs"),
            ...of("Entering the kernel", value(part("syscall")), "a call that does nothing"),
            ...of("A switch of threads", value(part("switch")), "by itself"),
        ]);
    }

    function others(section, doc, kit) {
        const { java, counters, scheduling } = doc;
        const told = [java && "Java", counters && "hardware counters", "scheduling"].filter(Boolean).join(", ");
        kit.heading(section, told.charAt(0).toUpperCase() + told.slice(1));
        if (java && java.version) {
            kit.plots.dots(section, {
                label: "Java's locks",
                caption: "Java " + kit.shown(java.version) + ": one way of a park/unpark ping-pong of two threads, and free locks.",
                format: kit.price,
                rows: [
                    ["LockSupport.park, one way", java.park_unpark_ns],
                    ["synchronized, free", java.synchronized_ns],
                    ["ReentrantLock, free", java.reentrant_lock_ns],
                ].map(([name, estimate]) => ({ name, estimate, remark: java.refused && kit.shown(java.refused) })),
            });
        } else if (java) {
            kit.note(section, "Java: " + kit.shown(java.refused || "not measured") + ".");
        }
        if (counters && counters.available) {
            kit.facts(section, [
                ["Cache misses a switch", kit.rate(kit.median(counters.cache_misses_per_switch)), "last level, working sets of their own"],
                ["TLB misses a switch", kit.rate(kit.median(counters.tlb_misses_per_switch)), "data"],
            ]);
        } else if (counters) {
            kit.note(section, "Hardware counters: " + kit.shown(counters.refused || "not measured") + ".");
        }
        if (scheduling) {
            const share = typeof scheduling.realtime_share === "number" ? "; real-time threads may use " + kit.percent(scheduling.realtime_share) + " of the time" : "";
            const why = scheduling.refused ? " (" + kit.shown(scheduling.refused) + ")" : "";
            kit.note(section, "The probes' threads ran under " + kit.shown(scheduling.policy || "an unknown policy") + why + share + ".");
        }
    }
}
