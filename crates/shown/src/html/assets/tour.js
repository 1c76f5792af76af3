"use strict";
// locktoll.tour/1: the first look. The answer comes first; each part shows one chart, and the rest when it is opened.
{
    locktoll.draw["locktoll.tour/1"] = function (doc, section, kit) {
        const { uncontended, contended, profile } = doc;
        kit.title(section, "A tour of the cost of locks on this machine");
        answer(section, doc, kit);
        kit.caveats(section, warnings(doc, kit));
        const threads = contended.cells.length > 0 ? contended.cells[0].threads : 0;
        const parts = [
            ["Free locks", "The cost of a lock that no other thread wants", "One thread acquires and releases each lock, with nothing in between.", (room) => bench(room, uncontended)],
            ["Contended locks", "The cost of a lock when " + kit.counted(threads, "thread competes", "threads compete") + " for it", "All of them push to and pop from one list.", (room) => bench(room, contended)],
            ["In a program", "The cost of locks in a program", "A small job server, recorded by locktoll record.", (room) => kit.document(room, profile)],
        ];
        for (const [at, [short, title, note, draw]] of parts.entries()) {
            const room = kit.element.into(section, "div", { class: "part" });
            kit.element.into(room, "h2", { class: "part-title", id: "part-" + (at + 1), "data-short": short, text: at + 1 + ". " + title });
            kit.note(room, note);
            draw(room);
        }
        kit.heading(section, "What to try next", null, "Next");
        // The reader has taken the tour already.
        kit.commands(section, doc.next.filter(([command]) => !command.startsWith("locktoll tour")));
        kit.provenance(section, { ...uncontended, made: doc.made || uncontended.made });

        function bench(room, part) {
            kit.bench.compact(room, part);
            kit.fold(room, "All charts and figures of this part", (body) => kit.document(body, part));
        }
    };

    function answer(section, { profile, findings }, kit) {
        const ns = profile.wait_ns + profile.locks.reduce((sum, lock) => sum + (lock.used_as !== "signal" ? lock.still_waiting_ns || 0 : 0), 0);
        const element = kit.answer(section, {
            figure: kit.share(ns, profile.thread_time_ns),
            of: "of the threads' time in the job server of part 3 went into waiting for locks",
            tone: "bad",
            said: [],
        });
        const list = kit.element.into(element.lastChild, "ol", { class: "findings" });
        for (const finding of findings) {
            kit.element.into(list, "li", {}, ...kit.prose(kit.shown(finding)));
        }
    }

    /** Those of the parts, each once. */
    function warnings({ uncontended, contended, profile }, kit) {
        const all = [...uncontended.noise.warnings, ...contended.noise.warnings, ...profile.warnings];
        return [...new Set(all)].map((text) => kit.shown(text));
    }
}
