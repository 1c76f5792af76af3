"use strict";
// locktoll.compare/1: two results side by side.
{
    const { amount, answer, caveats, factor, figureName, digits, range, ratioText, sides, unitOf, verdictOf } = locktoll.kit.comparison;

    /** Rows of the forest plot; the table has all. */
    const DRAWN = 60;

    locktoll.draw["locktoll.compare/1"] = function (doc, section, kit) {
        const files = (side) => kit.shown(side.files.join(", "));
        kit.title(section, files(doc.a) + " against " + files(doc.b), "Two results of the same kind (" + kit.shown(doc.kind) + "); ratios are B over A");
        const labels = labelsOf(doc.rows, kit);
        answer(section, doc, labels, kit);
        for (const { rule, broken_by: broken, unjudged_why: why = [], judged } of doc.rules) {
            const left = why.length > 0 ? "; not judged: " + kit.shown(why.join("; ")) : "";
            const kept = judged === 0 ? "\u2715 not judged on any row" : "\u2713 kept";
            const said = broken.length > 0 ? "\u2715 broken by " + broken.map(kit.shown).join("; ") : kept;
            kit.problem(section, "--fail-if '" + kit.shown(rule) + "': " + kit.cut(said, 600) + left);
        }
        kit.caveats(section, caveats(doc, kit));
        const names = [...new Set(doc.rows.flatMap(({ metrics }) => metrics.map(({ name }) => name)))];
        const state = { metric: null };
        if (names.length > 1) {
            const tools = kit.element.into(section, "div", { class: "choices" });
            kit.choice(tools, {
                label: "Figure",
                options: [[null, "the figure that rows are judged by"], ...names.map((name) => [name, figureName(name)])],
                chosen: null,
                change: (metric) => ((state.metric = metric), draw()),
            });
        }
        const room = kit.element.into(section, "div");
        draw();
        table(section, doc, labels, kit);

        function draw() {
            room.replaceChildren();
            const rows = doc.rows.flatMap((row) => {
                const figure = state.metric === null ? row.metrics.find(({ name }) => name === row.metric) : row.metrics.find(({ name }) => name === state.metric);
                return figure || state.metric === null ? [{ row, figure: figure || row }] : [];
            });
            forest(room, doc, rows, labels, kit);
        }
    };

    /** Names of rows; parameters that all keys share are left out. */
    function labelsOf(rows, kit) {
        const knobs = rows.map(({ key, name }) => (key.startsWith(name + ", ") ? key.slice(name.length + 2).split(", ") : null));
        const all = knobs.every((it) => it !== null) && rows.length > 1;
        const common = all ? knobs[0].filter((knob) => knobs.every((it) => it.includes(knob))) : [];
        return new Map(rows.map((row, at) => [row, kit.shown([row.name, ...(knobs[at] || []).filter((knob) => !common.includes(knob))].join(", "))]));
    }

    function forest(parent, doc, all, labels, kit) {
        if (!all.some(({ figure }) => figure.ratio)) {
            kit.note(parent, "Nothing to draw: no row has this figure on both sides.");
            return;
        }
        const rows = all.slice(0, DRAWN);
        const noise = doc.noise.factor;
        kit.heading(parent, "What changed", rows.length < all.length ? "The chart has the " + rows.length + " of " + all.length + " rows that changed most; the table has all." : null);
        kit.chart(
            parent,
            {
                title: "B over A, row by row: left of 1, the figure is lower in B",
                label: "Ratio of B over A, row by row, with intervals",
                caption: "Each mark is the ratio of B over A, with its interval.",
                key:
                    "\u25b2 " + short("slower", doc.kind) + ", \u25bc " + short("faster", doc.kind) + ", \u25c6 changed, \u25cf no detectable difference" + (rows.some(({ figure }) => verdictOf(figure, doc.kind).word.startsWith("not judged")) ? ", \u25cb not judged" : "") + "." +
                    (noise > 1 ? " Grey: the same lock measured twice differed by up to " + digits(noise) + "\u00d7 in the noisiest setting. The thin line of a row is the noise of its own setting: within it, there is no detectable difference." : ""),
                height: (width) => 12 + kit.plots.BELOW + rows.length * kit.plots.line(width),
            },
            (theme, width) => forestOption(theme, width, { doc, rows, labels, noise }, kit),
        );
    }

    function forestOption(theme, width, { doc, rows, labels, noise }, kit) {
        const ratios = rows.map(({ figure }) => figure.ratio).filter((it) => it && it.median > 0);
        const names = kit.plots.names(rows.map(({ row }) => labels.get(row)), width);
        const bounds = ratios.flatMap(({ median, low, high }) => [median, low, high]).filter((value) => value > 0);
        const axis = kit.plots.log([0.9, 1 / 0.9, noise, 1 / noise, ...bounds], factor, { room: width - names.left - 150 });
        const clamp = (value, missing) => (value > 0 ? value : missing);
        const drawn = rows.flatMap(({ figure }, at) => (figure.ratio && figure.ratio.median > 0 ? [{ figure, at }] : []));
        const tone = (figure) => theme[verdictOf(figure, doc.kind).tone];
        const others = rows.flatMap(({ figure }, at) => (figure.ratio && figure.ratio.median > 0 ? [] : [{ figure, at }]));
        return {
            grid: { left: names.left, right: width < 560 ? 64 : 150, top: 6, bottom: kit.plots.BELOW },
            tooltip: {
                trigger: "item",
                formatter: ({ value }) => {
                    const { row, figure } = rows[value[1]];
                    return kit.tip(
                        labels.get(row),
                        figureName(figure.name === undefined || figure === row ? row.metric : figure.name) + ": " + sides(row, figure),
                        "B over A: " + ratioText(figure.ratio),
                        verdictOf(figure, doc.kind).word,
                        row.note && kit.shown(row.note),
                    );
                },
            },
            xAxis: axis,
            yAxis: names.axis,
            series: [
                kit.plots.whiskers(
                    rows.flatMap(({ row, figure }, at) => (row.noise > 1 && figure.ratio && figure.ratio.median > 0 ? [[1, at, 1 / row.noise, row.noise]] : [])),
                    theme.faint,
                    { across: true, width: 1, extra: { z: 1 } },
                ),
                kit.plots.whiskers(
                    drawn.map(({ figure, at }) => {
                        const { median, low, high, confidence } = figure.ratio;
                        const known = typeof confidence === "number";
                        const ends = known ? [clamp(low, axis.min), clamp(high, axis.max)] : [median, median];
                        return Object.assign([median, at, ...ends], { color: tone(figure) });
                    }),
                    theme.text,
                    { across: true, width: 1.8 },
                ),
                {
                    type: "scatter",
                    symbolSize: 10,
                    z: 5,
                    data: drawn.map(({ figure, at }) => ({
                        value: [figure.ratio.median, at],
                        symbol: verdictOf(figure, doc.kind).mark || "circle",
                        itemStyle: { color: tone(figure) },
                    })),
                    ...kit.plots.against(theme, 1, noise > 1 ? { low: 1 / noise, high: noise } : undefined),
                },
                kit.plots.behind(
                    // In a column of their own, away from the lines.
                    drawn.map(({ at }) => [axis.max, at]),
                    (index) => factor(drawn[index].figure.ratio.median) + (width < 560 ? "" : " " + short(drawn[index].figure.verdict, doc.kind)),
                    { color: theme.text },
                ),
                kit.plots.crosses(
                    theme,
                    others.map(({ at }) => [axis.min * 1.01, at]),
                    { formatter: ({ value }) => verdictOf(rows[value[1]].figure, doc.kind).word },
                ),
            ],
        };
    }

    const short = (verdict, kind) => (["slower", "faster", "changed"].includes(verdict) ? verdictOf({ verdict }, kind).word.replace(" in B", "") : "");


    function table(section, doc, labels, kit) {
        kit.heading(section, "All rows", "Open a row for all of its figures.");
        const side = (title, of) => ({
            title,
            note: "median",
            value: (row) => kit.median(of(row)),
            text: (row) => amount(unitOf(row), kit.median(of(row))),
        });
        kit.table(section, {
            label: "Rows",
            columns: [
                { title: "row", left: true, value: (row) => labels.get(row), text: (row) => labels.get(row), remark: (row) => row.note && kit.shown(row.note) },
                {
                    title: "B is",
                    left: true,
                    value: (row) => verdictOf(row, doc.kind).word,
                    text: (row) => verdictOf(row, doc.kind).symbol + " " + verdictOf(row, doc.kind).word,
                },
                {
                    title: "ratio",
                    note: "B over A, with its interval",
                    value: (row) => row.ratio && row.ratio.median,
                    text: (row) => (row.ratio && typeof row.ratio.median === "number" ? factor(row.ratio.median) : kit.dash),
                    remark: (row) => (row.ratio && typeof row.ratio.confidence === "number" ? "(" + range(row.ratio) + ")" : null),
                },
                { title: "figure", left: true, value: (row) => figureName(row.metric) },
                side("A", (row) => row.a),
                side("B", (row) => row.b),
            ],
            rows: doc.rows,
            filter: (row) => [row.key, row.name, verdictOf(row, doc.kind).word].join(" "),
            link: { key: "row", of: (row) => row.key },
            open: (row, panel) => {
                kit.note(panel, kit.shown(row.key));
                kit.table(panel, {
                    label: "Figures",
                    columns: [
                        { title: "figure", left: true, value: (it) => figureName(it.name) },
                        { title: "B is", left: true, value: (it) => verdictOf(it, doc.kind).word, text: (it) => verdictOf(it, doc.kind).symbol + " " + verdictOf(it, doc.kind).word },
                        { title: "ratio", value: (it) => it.ratio && it.ratio.median, text: (it) => ratioText(it.ratio) },
                        { title: "A", value: (it) => kit.median(it.a), text: (it) => kit.interval(it.a, (value) => amount(it.unit, value)) },
                        { title: "B", value: (it) => kit.median(it.b), text: (it) => kit.interval(it.b, (value) => amount(it.unit, value)) },
                    ],
                    rows: row.metrics,
                });
            },
        });
        if (doc.noise.evidence.length > 0) {
            kit.heading(section, "Noise: the same lock measured twice", null, "Noise");
            const list = kit.element.into(section, "ul");
            for (const sentence of doc.noise.evidence) {
                kit.element.into(list, "li", { text: kit.shown(sentence) });
            }
        }
        kit.provenance(section, doc, ["A: " + kit.shown(doc.a.what), "B: " + kit.shown(doc.b.what), "schema " + kit.shown(doc.schema)]);
    }
}
