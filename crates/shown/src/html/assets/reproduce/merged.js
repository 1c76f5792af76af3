"use strict";
// locktoll.reproduce-merged/1: published claims on several machines, one column for each.
locktoll.draw["locktoll.reproduce-merged/1"] = function (doc, section, kit) {
    const machines = doc.machines || [];
    const claims = doc.claims || [];
    const differences = doc.differences || [];
    kit.title(section, "Published claims on several machines");
    kit.answer(section, {
        figure: kit.count(differences.length),
        of: (differences.length === 1 ? "difference" : "differences") + " in " + kit.counted(claims.length, "claim", "claims") + " on " + kit.counted(machines.length, "machine", "machines"),
        tone: differences.length > 0 ? "bad" : "good",
        said: differences.length > 0 ? [] : [["The machines agree."]],
    });
    if (differences.length > 0) {
        kit.heading(section, "Differences between the machines");
        const list = kit.element.into(section, "ul", { class: "differences" });
        for (const { what } of differences) {
            kit.element.into(list, "li", { text: kit.shown(what) + "." });
        }
    }
    kit.heading(section, "Claim by claim", "Judged by their shape (a ratio, an order, a slope), never by an absolute time: the machines differ.");
    for (const claim of claims) {
        const fold = kit.fold(section, kit.shown(claim.id) + "  " + kit.shown(claim.title), (body) => {
            machines.forEach((machine, at) => {
                const result = claim.results[at];
                kit.element.into(body, "h3", { class: "machine", text: kit.shown(machine.name) });
                if (result) {
                    kit.claim(body, result, kit.verdictOf, machine.machine && machine.machine.stand_in);
                } else {
                    kit.note(body, "This claim was not run there.");
                }
            });
        });
        fold.classList.add("claim");
        const summary = fold.querySelector("summary");
        machines.forEach((machine, at) => {
            const result = claim.results[at];
            const cell = kit.element.into(summary, "span", { class: "column", text: " " + kit.shown(machine.name) + ": " });
            cell.append(result ? kit.verdictBadge(result.verdict) : "not there");
        });
    }
};
