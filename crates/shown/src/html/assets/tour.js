"use strict";
// locktoll.tour/1: the first look. What the figures say comes first; the parts are drawn as what they are.
{
    locktoll.draw["locktoll.tour/1"] = function (doc, section, kit) {
        const { machine } = doc.uncontended;
        kit.title(section, "A tour of what locks cost here", kit.card(machine));
        kit.heading(section, "What the figures say");
        const findings = kit.element.into(section, "ol", { class: "findings" });
        for (const finding of doc.findings) {
            kit.element.into(findings, "li", { text: kit.shown(finding) });
        }
        kit.heading(section, "What to try next");
        // The tour itself has been taken.
        kit.commands(section, doc.next.filter(([command]) => !command.startsWith("locktoll tour")));
        kit.heading(section, "On this page");
        const contents = kit.element.into(section, "ol", { class: "contents" });
        const threads = doc.contended.cells.length > 0 ? doc.contended.cells[0].threads : 0;
        const parts = [
            ["What a lock costs when nobody else wants it", "One thread takes and releases each lock, nothing inside.", doc.uncontended],
            ["What it costs when " + kit.counted(threads, "thread fights", "threads fight") + " for it", "All of them push to and pop from one list.", doc.contended],
            ["What locks cost in a program", "A small job server, recorded by `locktoll record`.", doc.profile],
        ];
        for (const [at, [title, note, part]] of parts.entries()) {
            const id = "part-" + (at + 1);
            kit.element.into(kit.element.into(contents, "li"), "a", { href: "#" + id, text: title });
            const room = kit.element.into(section, "div", { class: "part", id });
            kit.element.into(room, "h2", { class: "part-title", text: at + 1 + ". " + title });
            kit.note(room, note);
            kit.document(room, part);
        }
    };
}
