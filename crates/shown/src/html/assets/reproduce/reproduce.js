"use strict";
// locktoll.reproduce/1: published claims, run again.
{
    const VERDICTS = {
        holds: { symbol: "\u2713", word: "holds", tone: "good" },
        does_not_hold: { symbol: "\u2715", word: "does not hold", tone: "bad" },
        cannot_be_judged_here: { symbol: "?", word: "cannot be judged here", tone: "neutral" },
        not_yet: { symbol: "\u2026", word: "not yet", tone: "faint" },
    };
    const verdictOf = (name) => VERDICTS[name] || { symbol: "?", word: String(name), tone: "neutral" };

    locktoll.kit.verdictOf = verdictOf;
    locktoll.kit.verdictBadge = (name) => badge(name, locktoll.kit);

    locktoll.draw["locktoll.reproduce/1"] = function (doc, section, kit) {
        const claims = doc.claims || [];
        kit.title(section, "Published claims, run again");
        answer(section, claims, kit);
        kit.doubts(section, { partial: doc.partial });
        const shown = new Set(Object.keys(VERDICTS));
        const counts = kit.element.into(section, "div", { class: "verdicts", role: "group", "aria-label": "Verdicts shown" });
        for (const [name, { symbol, word }] of Object.entries(VERDICTS)) {
            const number = claims.filter(({ verdict }) => verdict === name).length;
            const button = kit.element.into(counts, "button", {
                type: "button",
                class: "verdict " + name,
                "aria-pressed": "true",
                disabled: number === 0 ? "" : null,
                on: {
                    click: () => {
                        const on = !shown.has(name);
                        on ? shown.add(name) : shown.delete(name);
                        button.setAttribute("aria-pressed", String(on));
                        filter();
                    },
                },
            });
            kit.element.into(button, "strong", { text: kit.count(number) });
            button.append(" ", badge(name, kit));
        }
        kit.heading(section, "Claim by claim", "Judged by their shape (a ratio, an order, a slope), never by an absolute time: the machines differ.");
        const tools = kit.element.into(section, "div", { class: "table-tools" });
        const field = kit.element("input", { type: "search", id: "claims-filter", autocomplete: "off", spellcheck: "false", on: { input: () => filter() } });
        tools.append(kit.element("label", { for: field.id, text: "Filter claims" }), field);
        const status = kit.element.into(tools, "span", { class: "status", role: "status" });
        const entries = claims.map((claim) => {
            const title = kit.shown(claim.id) + "  " + kit.shown(claim.title);
            const fold = kit.fold(section, title, (body) => kit.claim(body, claim, verdictOf, doc.machine && doc.machine.stand_in));
            fold.classList.add("claim", claim.verdict);
            const summary = fold.querySelector("summary");
            summary.append(badge(claim.verdict, kit));
            kit.element.into(summary, "span", { class: "claimed", text: kit.cut(kit.shown(claim.claim), 240) });
            kit.linked("claim", (id) => {
                if (id === claim.id) {
                    fold.fillNow();
                    fold.scrollIntoView({ block: "start" });
                    summary.focus({ preventScroll: true });
                }
            });
            const text = [claim.id, claim.title, claim.claim, claim.because, claim.means, claim.source && claim.source.article, verdictOf(claim.verdict).word].join(" ").toLowerCase();
            return { claim, fold, text };
        });
        if (entries.length <= FEW) {
            entries.forEach(({ fold }) => fold.fillNow());
        }
        kit.surroundings(section, doc);

        function filter() {
            const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
            let found = 0;
            for (const { claim, fold, text } of entries) {
                const fits = shown.has(claim.verdict) && words.every((word) => text.includes(word));
                fold.hidden = !fits;
                found += fits ? 1 : 0;
            }
            status.textContent = found < entries.length ? kit.count(found) + " of " + kit.count(entries.length) : "";
        }
    };

    /** Up to so many claims are open from the beginning. */
    const FEW = 2;

    function answer(section, claims, kit) {
        const of = (name) => claims.filter(({ verdict }) => verdict === name);
        const judged = of("holds").length + of("does_not_hold").length;
        const list = (name, words) =>
            of(name).length === 0 ? [] : [[words + ": ", ...of(name).slice(0, 12).flatMap((claim, at) => [at > 0 ? ", " : "", kit.go(kit.shown(claim.id), { claim: claim.id })]), of(name).length > 12 ? " and " + kit.count(of(name).length - 12) + " more." : "."]];
        const [first] = of("does_not_hold");
        kit.answer(section, {
            figure: judged > 0 ? of("holds").length + " of " + judged : "none",
            of: judged > 0 ? (judged === 1 ? "claim" : "claims") + " that could be judged here " + (judged === 1 ? "holds" : "hold") : "of " + kit.counted(claims.length, "claim", "claims") + " could be judged here",
            tone: first ? "bad" : judged > 0 ? "good" : "quiet",
            said: [
                first ? ["Does not hold here: ", kit.go(kit.shown(first.id), { claim: first.id }), " " + kit.shown(first.title) + "."] : [judged > 0 ? "Every claim that could be judged here holds." : "No claim could be judged here."],
                ...list("does_not_hold", "Do not hold").slice(0, of("does_not_hold").length > 1 ? 1 : 0),
                ...list("cannot_be_judged_here", "Cannot be judged here"),
                ...list("not_yet", "Not yet run"),
            ],
        });
    }

    function badge(name, kit) {
        const { symbol, word } = verdictOf(name);
        const element = kit.element("span", { class: "badge " + (VERDICTS[name] ? name : "not_yet") });
        kit.element.into(element, "span", { "aria-hidden": "true", text: symbol + " " });
        element.append(kit.shown(word));
        return element;
    }
}
