"use strict";
// locktoll.doctor/1: the verbs that work here, and the commands that allow the rest.
{
    const WORKS = {
        full: "\u2713 yes",
        limited: "\u25d0 in part",
        not: "\u2715 no",
    };
    const STATES = {
        missing: "\u2715 missing",
        limited: "\u25d0 limited",
        unknown: "? unknown",
        works: "\u2713 works",
    };
    const PLACES = {
        here: "in this session",
        outside: "outside this session",
        boot: "at the next boot",
        nowhere: "nowhere",
    };
    const wordOf = (words, name, kit) => words[name] || "? " + kit.shown(name);

    locktoll.draw["locktoll.doctor/1"] = function (doc, section, kit) {
        const asked = doc.asked ? " of " + kit.shown(doc.asked) : "";
        kit.title(section, "What works here" + asked);
        answer(section, doc, kit);
        kit.table(section, {
            label: "Verbs",
            columns: [
                { title: "verb", left: true, value: ({ verb }) => kit.shown(verb) },
                { title: "works", left: true, value: ({ works }) => wordOf(WORKS, works, kit) },
                {
                    title: "reason",
                    left: true,
                    value: ({ works, blocked_by: blocked, limited_by: limited }) => kit.shown((works === "not" ? blocked : limited).join(", ")) || null,
                },
                { title: "disturbed by", left: true, value: ({ disturbed_by: disturbed }) => kit.shown(disturbed.join(", ")) || null },
            ],
            rows: doc.verbs,
        });

        const concerned = doc.findings.filter(({ concerns, remedy }) => concerns.length > 0 && remedy);
        const commands = new Map();
        for (const { id, remedy } of concerned) {
            for (const command of remedy.commands) {
                const { ids, place } = commands.get(command) || { ids: [], place: remedy.where };
                commands.set(command, { ids: [...ids, id], place });
            }
        }
        if (commands.size > 0) {
            kit.heading(section, "To allow more", "Replace the words in capitals with your own.");
            kit.commands(
                section,
                [...commands].map(([command, { ids, place }]) => [command, wordOf(PLACES, place, kit) + "; for " + ids.join(", ")]),
            );
        }

        if (doc.findings.length > 0) {
            kit.heading(section, "Findings", "Open a row to see what it prevents and which command allows it.");
            const order = Object.keys(STATES);
            kit.table(section, {
                label: "Findings",
                columns: [
                    { title: "finding", left: true, value: ({ id }) => kit.shown(id) },
                    { title: "state", left: true, value: ({ state }) => order.indexOf(state), text: ({ state }) => wordOf(STATES, state, kit) },
                    { title: "value", left: true, value: ({ value }) => (value === null ? null : kit.shown(value)) },
                ],
                rows: doc.findings,
                sort: { column: 1, descending: false },
                filter: (finding) => JSON.stringify(finding),
                open: (finding, panel) => explain(finding, panel, kit),
                opens: ({ note, concerns, remedy }) => Boolean(note || concerns.length > 0 || remedy),
                printed: 100,
            });
        }
        kit.provenance(section, doc, [kit.shown(doc.binary), "user " + (doc.user_id === 0 ? "root" : kit.shown(String(doc.user_id ?? "unknown")))]);
    };

    function answer(section, doc, kit) {
        const named = (wanted) => doc.verbs.filter(({ works }) => works === wanted).map(({ verb }) => kit.shown(verb));
        const full = named("full").length;
        const parts = [["limited", "in part"], ["not", "not at all"]].map(([wanted, words]) => [named(wanted), words]).filter(([verbs]) => verbs.length > 0).map(([verbs, words]) => words + ": " + verbs.join(", "));
        const remedies = doc.findings.some(({ concerns, remedy }) => concerns.length > 0 && remedy);
        const rest = parts.join("; ");
        const obstacle = mainObstacle(doc);
        const because = obstacle ? " Main obstacle: " + kit.shown(obstacle.id + (obstacle.note ?? obstacle.value ? " (" + (obstacle.note ?? obstacle.value) + ")" : "")) + "." : "";
        kit.answer(section, {
            figure: full + " of " + doc.verbs.length,
            of: doc.verbs.length === 1 ? "verb works in full" : "verbs work in full",
            tone: named("not").length > 0 ? "bad" : full === doc.verbs.length ? "good" : null,
            said: [rest ? rest.charAt(0).toUpperCase() + rest.slice(1) + "." + because + (remedies ? " The commands below allow more." : "") : "Everything works."],
        });
    }

    /** The finding that stops most verbs or, where none is stopped, limits most; the first of equals. */
    function mainObstacle({ verbs, findings }) {
        const count = (id, key) => verbs.filter((verb) => verb[key].includes(id)).length;
        const worse = (a, b) => count(b.id, "blocked_by") - count(a.id, "blocked_by") || count(b.id, "limited_by") - count(a.id, "limited_by");
        const named = findings.filter(({ id }) => count(id, "blocked_by") + count(id, "limited_by") > 0);
        return named.sort(worse)[0];
    }

    function explain({ note, concerns, remedy }, panel, kit) {
        if (note) {
            kit.note(panel, kit.shown(note));
        }
        for (const { verb, effect, what } of concerns) {
            const lost = effect === "disturbs" ? ": " : "; lost: ";
            kit.note(panel, kit.shown(effect + " " + verb + lost + what));
        }
        if (remedy) {
            kit.commands(panel, remedy.commands.map((command) => [command, wordOf(PLACES, remedy.where, kit)]));
            if (remedy.note) {
                kit.note(panel, kit.shown(remedy.note));
            }
        }
    }
}
