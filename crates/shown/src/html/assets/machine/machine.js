"use strict";
// locktoll.machine/1: the price list of a machine.
{
    locktoll.draw["locktoll.machine/1"] = function (doc, section, kit) {
        kit.title(section, "The cost of locking on this machine");
        answer(section, doc, kit);
        kit.doubts(section, doc, doc.quick ? ["The short form (--quick): fewer rounds, wider intervals."] : []);
        facts(section, doc, kit);
        kit.machine.handOver(section, doc);
        kit.machine.prices(section, doc);
        // Two CPUs have two figures, which need no room next to a chart.
        const isMap = doc.transfers && doc.transfers.cpus.length > 2;
        const both = isMap ? kit.columns(section) : section;
        const left = kit.element.into(both, "div");
        const right = kit.element.into(both, "div");
        kit.machine.transfers(left, doc);
        kit.machine.refill(right, doc);
        kit.machine.locks(section, doc);
        others(section, doc, kit);
        kit.surroundings(section, doc);
    };

    /** The price of a contended hand-over, next to that of a free lock. */
    function answer(section, doc, kit) {
        const { same_cpu: same, cross_cpu: cross } = doc.decomposition || {};
        const way = cross || same;
        const lock = (doc.locks || []).find(({ name, uncontended_ns: it }) => ["pthread", "critical-section"].includes(name) && kit.median(it) > 0);
        const price = (it) => kit.price(kit.median(it));
        const free = lock && lock.uncontended_ns;
        const named = lock && (lock.name === "pthread" ? "a free pthread mutex" : "a free critical section");
        if (!way) {
            const said = free ? "Acquiring and releasing " + named + " costs " + price(free) + ". The cost of a contended hand-over could not be measured." : "Neither a free lock nor a contended hand-over could be measured.";
            kit.answer(section, { figure: free ? price(free) : null, of: named, tone: "quiet", said: [said] });
            return;
        }
        const times = free ? kit.median(way.total_ns) / kit.median(free) : null;
        const [most] = [...way.parts].sort((a, b) => kit.median(b.ns) - kit.median(a.ns));
        const said = [
            ["A contended hand-over costs " + [cross && price(cross.total_ns) + " across CPUs", same && price(same.total_ns) + " on one CPU"].filter(Boolean).join(" and ") + "." + (times ? (cross && same ? " Across CPUs, it" : " It") + " costs " + kit.count(Number(times.toPrecision(2))) + " times as much as " + named + " (" + price(free) + ")." : "")],
            ...(most ? [["The largest part " + (cross ? "across CPUs" : "of it") + ": " + kit.shown(most.title) + ", " + price(most.ns) + " (" + kit.percent(kit.median(most.ns) / kit.median(way.total_ns)) + ")."]] : []),
        ];
        kit.answer(section, { figure: price(way.total_ns), of: "from the release of a contended lock until another thread has it, " + (cross ? "across CPUs" : "on one CPU"), said });
    }

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
            ...of("A system call", value(part("syscall")), "one that does nothing"),
            ...of("A context switch", value(part("switch")), "between two threads"),
        ]);
    }

    function others(section, doc, kit) {
        const { java, counters, park_misses: parks, scheduling } = doc;
        const topics = [java && "Java", counters && "hardware counters", "scheduling"].filter(Boolean).join(", ");
        kit.heading(section, topics.charAt(0).toUpperCase() + topics.slice(1), null, "Others");
        if (java && java.version) {
            kit.plots.dots(section, {
                title: "Java's locks",
                label: "Java's locks",
                key: "Java " + kit.shown(java.version) + ": one way of a park/unpark round trip between two threads, and free locks.",
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
                ["Cache misses per switch", kit.rate(kit.median(counters.cache_misses_per_switch)), "last level; each thread has its own working set"],
                ["TLB misses per switch", kit.rate(kit.median(counters.tlb_misses_per_switch)), "data TLB"],
            ]);
        } else if (counters) {
            kit.note(section, "Hardware counters: " + kit.shown(counters.refused || "not measured") + ".");
        }
        if (parks) {
            const words = (misses) => (typeof misses === "number" ? Number(misses.toPrecision(2)).toString() : kit.dash);
            const figure = parks.per_switch;
            kit.note(
                section,
                "Threads that only park and unpark each other: " +
                    (figure
                        ? words(figure.median) + " cache misses a switch (" + words(figure.low) + " to " + words(figure.high) + "), " + (parks.found_by === "counter" ? "counted by the processor" : "recognised by the time of each access")
                        : "no figure for cache misses: " + kit.shown(parks.refused || "not measured")) +
                    ".",
            );
        }
        if (scheduling) {
            const share = typeof scheduling.realtime_share === "number" ? "; real-time threads may use " + kit.percent(scheduling.realtime_share) + " of the time" : "";
            const why = scheduling.refused ? " (" + kit.shown(scheduling.refused) + ")" : "";
            kit.note(section, "The probes' threads ran under " + kit.shown(scheduling.policy || "an unknown policy") + why + share + ".");
        }
    }
}
