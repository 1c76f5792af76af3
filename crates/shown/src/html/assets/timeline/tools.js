"use strict";
// The parts around a timeline's picture: findings, the choice of a lock, buttons, and the meaning of the colours.
//
//     locktoll.timeline.findings(it), locktoll.timeline.tools(it, box), locktoll.timeline.legend(it, box)
{
    const { KINDS } = locktoll.timeline;

    /** Sentences, each with a link to its time. */
    locktoll.timeline.findings = function ({ section, raw, kit }) {
        if (raw.findings.length === 0) {
            return;
        }
        const list = kit.element.into(section, "ul", { class: "findings" });
        for (const { sentence, begin_ns: begin, end_ns: end, lock } of raw.findings) {
            const item = kit.element.into(list, "li", {}, ...kit.prose(kit.shown(sentence)), " ");
            item.append(kit.go("Show", { timeline: begin + "-" + end, ...(lock === null ? {} : { of: String(lock) }) }));
        }
    };

    locktoll.timeline.tools = function (it, box) {
        const { kit, raw } = it;
        const line = kit.element.into(box, "div", { class: "choices" });
        const list = kit.element("select", { id: "timeline-lock", on: { change: () => it.chooseLock(Number(list.value)) } });
        raw.choices.forEach(({ lock, wait_ns: ns }) => kit.element.into(list, "option", { value: String(lock), text: kit.cut(it.lockName(lock), 60) + ": " + kit.duration(ns) }));
        list.value = String(raw.first);
        it.list = list;
        kit.element.into(line, "span", { class: "choice" }, kit.element("label", { for: "timeline-lock", text: "Lock" }), list);
        const button = (text, label, click) => kit.element("button", { type: "button", class: "more", text, "aria-label": label, on: { click } });
        const { zoom, look } = locktoll.timeline;
        kit.element.into(
            line, "span", { class: "choice" },
            button("+", "Zoom in", () => zoom(it, 0.5)),
            button("\u2212", "Zoom out", () => zoom(it, 2)),
            button("Whole run", null, () => look(it, raw.from_ns, raw.to_ns)),
            button("Figures of this view", null, () => it.choose(it.view.from, it.view.to, true)),
        );
        const switches = ["move", "choose"].map((mode) =>
            kit.element("button", { type: "button", class: "switch", text: mode === "move" ? "Drag moves" : "Drag chooses a time", "aria-pressed": String(mode === it.mode), on: { click: () => it.chooseMode(mode) } }),
        );
        it.chooseMode = (mode) => {
            it.mode = mode;
            switches.forEach((each, at) => each.setAttribute("aria-pressed", String(["move", "choose"][at] === mode)));
        };
        kit.element.into(line, "div", { class: "switches", role: "group", "aria-label": "Dragging" }, ...switches);
        const all = kit.element("input", { type: "checkbox", on: { change: () => it.showAll(all.checked) } });
        kit.element.into(line, "label", { class: "plumbing" }, all, " All threads");
    };

    /** The meaning of the colours. */
    locktoll.timeline.legend = function ({ kit, raw }, box) {
        const list = kit.element.into(box, "ul", { class: "causes" });
        const has = new Set(raw.kinds);
        for (const [cause, words, isThere] of [
            ["locks", "waits for the lock", true],
            ["running", raw.everything ? "holds the lock" : "holds the lock (only holds that others waited for are kept)", true],
            ["either", "waits for another lock", has.has(KINDS.wait)],
            ["unknown", "holds another lock", has.has(KINDS.hold)],
            ["signals", "waits for an event", has.has(KINDS.event)],
            ["other", "in a call that may block while it holds", has.has(KINDS.blocked)],
            ["cpu", "without a CPU", has.has(KINDS.off) || has.has(KINDS.preempted)],
            ["cpu", "line below a triangle: an alert", raw.alerts.length > 0],
        ]) {
            if (isThere) {
                const item = kit.element.into(list, "li");
                kit.element.into(item, "i", { class: "swatch " + cause, "aria-hidden": "true" });
                kit.element.into(item, "span", { text: words });
            }
        }
    };
}
