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

    locktoll.draw["locktoll.reproduce/1"] = function (doc, section, kit) {
        const claims = doc.claims || [];
        kit.title(section, "Published claims, run again", kit.card(doc.machine));
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
        const board = kit.element.into(section, "nav", { class: "board", "aria-label": "Claims" });
        kit.heading(section, "Claim by claim", "Judged by their shape (a ratio, an order, a slope), never by an absolute time: the machines differ.");
        const tools = kit.element.into(section, "div", { class: "table-tools" });
        const field = kit.element("input", { type: "search", id: "claims-filter", autocomplete: "off", spellcheck: "false", on: { input: () => filter() } });
        tools.append(kit.element("label", { for: field.id, text: "Filter claims" }), field);
        const status = kit.element.into(tools, "span", { class: "status", role: "status" });
        const entries = claims.map((claim) => {
            const title = kit.shown(claim.id) + "  " + kit.shown(claim.title);
            const fold = kit.fold(section, title, (body) => kit.claim(body, claim, verdictOf, doc.machine && doc.machine.stand_in));
            fold.classList.add("claim", claim.verdict);
            fold.querySelector("summary").append(badge(claim.verdict, kit));
            const tile = kit.element.into(board, "button", {
                type: "button",
                class: "tile " + claim.verdict,
                on: {
                    click: () => {
                        fold.fillNow();
                        fold.scrollIntoView({ block: "start" });
                        fold.querySelector("summary").focus({ preventScroll: true });
                    },
                },
            });
            kit.element.into(tile, "strong", { text: kit.shown(claim.id) });
            tile.append(badge(claim.verdict, kit));
            kit.element.into(tile, "span", { class: "tile-title", text: kit.shown(claim.title) });
            const text = [claim.id, claim.title, claim.claim, claim.because, claim.source && claim.source.article, verdictOf(claim.verdict).word].join(" ").toLowerCase();
            return { claim, fold, tile, text };
        });
        if (entries.length === 1) {
            entries[0].fold.fillNow();
        }
        kit.surroundings(section, doc);

        function filter() {
            const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
            let found = 0;
            for (const { claim, fold, tile, text } of entries) {
                const fits = shown.has(claim.verdict) && words.every((word) => text.includes(word));
                fold.hidden = tile.hidden = !fits;
                found += fits ? 1 : 0;
            }
            status.textContent = found < entries.length ? kit.count(found) + " of " + kit.count(entries.length) : "";
        }
    };

    function badge(name, kit) {
        const { symbol, word } = verdictOf(name);
        const element = kit.element("span", { class: "badge " + (VERDICTS[name] ? name : "not_yet") });
        kit.element.into(element, "span", { "aria-hidden": "true", text: symbol + " " });
        element.append(kit.shown(word));
        return element;
    }
}
