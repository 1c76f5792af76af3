"use strict";
// The answer of locktoll.compare/1: the number of rows with each verdict, the row that changed most, and the caveats.
{
    const { VERDICTS, factor, figureName, ratioText, sides, verdictOf } = locktoll.kit.comparison;

    /** The differences between the surroundings of the two, and the warnings of both, each once. */
    function caveats(doc, kit) {
        const sides = new Map();
        for (const [name, { warnings }] of [["A", doc.a], ["B", doc.b]]) {
            warnings.forEach((warning) => sides.set(warning, [...(sides.get(warning) || []), name]));
        }
        return [
            ...doc.differs.map(({ what, a, b }) => "Differs: " + kit.shown(what) + ": " + kit.shown(a) + " in A, " + kit.shown(b) + " in B."),
            ...[...sides].map(([warning, names]) => "Warning (" + names.join(" and ") + "): " + kit.shown(warning)),
            ...doc.notes.map(kit.shown),
        ];
    }

    const NOUNS = { profile: ["lock", "locks"], bench: ["measurement", "measurements"], machine: ["price", "prices"], try: ["lock", "locks"], reproduce: ["claim", "claims"] };

    /** The number of rows with each verdict, and the row that changed most. */
    function answer(section, doc, labels, kit) {
        const rows = doc.kind === "reproduce" ? doc.rows.filter(({ note }) => note) : doc.rows.filter(({ key }) => key !== "program");
        const [one, many] = NOUNS[doc.kind] || ["row", "rows"];
        const count = (name) => rows.filter(({ verdict }) => verdict === name).length;
        const changed = ["slower", "faster", "changed"].reduce((sum, name) => sum + count(name), 0);
        const words = Object.keys(VERDICTS).flatMap((name) => rows.filter(({ verdict }) => verdict === name).map((row) => verdictOf(row, doc.kind).word));
        const parts = [...new Set(words)].map((word) => kit.count(words.filter((it) => it === word).length) + " " + (word === VERDICTS.no_difference.word ? "without a detectable difference" : word));
        const said = [[kit.counted(rows.length, one, many) + ": " + (parts.join(", ") || "nothing to compare") + (doc.kind === "reproduce" ? "" : " (by " + figureName(doc.metric) + ")") + "."]];
        const most = rows.filter(({ verdict, ratio }) => ["slower", "faster"].includes(verdict) && ratio && ratio.median > 0).sort((a, b) => Math.abs(Math.log(b.ratio.median)) - Math.abs(Math.log(a.ratio.median)))[0];
        if (most) {
            said.unshift(["The largest change: ", kit.go(labels.get(most), { row: most.key }), " is " + verdictOf(most, doc.kind).word + ": " + sides(most, most) + ", " + ratioText(most.ratio) + "."]);
        }
        const program = doc.rows.find(({ key }) => key === "program");
        if (program && program.ratio) {
            said.unshift(["The program as a whole, " + figureName(program.metric) + ": " + sides(program, program) + "; " + verdictOf(program, doc.kind).word + "."]);
        }
        const both = rows.filter(({ a, b }) => a && b).length;
        const whole = !most && program && program.ratio && program.ratio.median > 0 ? program : most;
        kit.answer(section, {
            figure: whole ? factor(whole.ratio.median) : (both > 0 ? changed : both) + " of " + rows.length,
            of: whole ? figureName(whole.metric) + (whole === program ? ", the whole program" : "") + ", B over A" : many + (both > 0 || doc.kind === "reproduce" ? " changed from A to B" : " are in both results"),
            tone: most ? (most.verdict === "slower" ? "bad" : "good") : "quiet",
            said,
        });
    }

    Object.assign(locktoll.kit.comparison, { answer, caveats });
}
