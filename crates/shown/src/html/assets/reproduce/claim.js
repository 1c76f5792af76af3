"use strict";
// One claim: the published figures, the measured ones, the verdict, and how to run it by hand.
{
    const kit = locktoll.kit;

    kit.claim = function (body, claim, verdictOf, standIn) {
        kit.element.into(body, "blockquote", { class: "said", text: kit.shown(claim.claim) });
        const { article, year, machine } = claim.source || {};
        kit.note(body, [kit.shown(article), year || null, kit.shown(machine)].filter(Boolean).join(", ") + ".");
        const { symbol, word } = verdictOf(claim.verdict);
        const because = kit.element.into(body, "p", { class: "because" });
        kit.element.into(because, "strong", { text: symbol + " " + capital(word) + ": " });
        because.append(kit.shown(claim.because));
        if (claim.figures_from) {
            kit.note(body, figuresFrom(claim.figures_from));
        }
        if (claim.note) {
            kit.note(body, kit.shown(claim.note));
        }
        for (const { cell, ...modes } of claim.two_modes || []) {
            kit.note(body, kit.shown(cell) + " has " + kit.modes(modes) + ".");
        }
        if (claim.placement) {
            kit.note(body, "Placement of lock, data and threads: " + kit.placement(claim.placement) + ".");
        }
        for (const warning of claim.warnings || []) {
            kit.problem(body, "Warning: " + kit.shown(warning));
        }
        checks(body, claim, verdictOf, standIn);
        if (claim.measured_in) {
            kit.note(body, "Measured in " + kit.shown(claim.measured_in) + ".");
        }
        curves(body, claim);
        if ((claim.published || []).length > 0) {
            kit.element.into(body, "h3", { text: "As published" });
            const list = kit.element.into(body, "dl", { class: "terms" });
            for (const { what, figure } of claim.published) {
                kit.element.into(list, "dt", { text: kit.shown(what) });
                kit.element.into(list, "dd", { text: kit.shown(figure) });
            }
        }
        if ((claim.commands || []).length > 0) {
            kit.element.into(body, "h3", { text: "Run it by hand" });
            kit.commands(body, claim.commands.map((command) => [command]));
        }
        if (typeof claim.looks === "number" && typeof claim.rounds === "number") {
            const confidence = (100 - 5 / 2 ** claim.looks).toFixed(1);
            kit.note(body, claim.rounds + " rounds, judged at look " + claim.looks + " by " + confidence + " % intervals.");
        }
        if (claim.duration_ns > 0) {
            kit.note(body, "Took " + kit.duration(claim.duration_ns) + ".");
        }
        if (claim.means) {
            const means = kit.element.into(body, "p", { class: "means" });
            kit.element.into(means, "strong", { text: "Today: " });
            means.append(kit.shown(claim.means));
        }
    };

    /** How the figures were measured, and why not in the better way. */
    function figuresFrom({ source, refused }) {
        const [done, better] = {
            kernel: ["Switches were counted by cause in the kernel (eBPF).", ""],
            proc: ["Causes of switches were sampled in /proc.", "They could not be counted in the kernel"],
            counters: ["Cache misses were counted by the processor.", ""],
            time: ["Cache misses were recognised by the time of each access.", "They could not be counted by the processor"],
        }[source] || ["Figures from: " + kit.shown(source) + ".", "Reason"];
        return refused ? done + " " + better + ": " + kit.shown(refused) : done;
    }

    const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

    /** Three digits, whatever the size. */
    function figure(value) {
        return typeof value === "number" && Number.isFinite(value) ? Number(value.toPrecision(3)).toLocaleString("en-US") : kit.dash;
    }

    function bounds({ at_least: least, at_most: most }) {
        const is = (value) => typeof value === "number";
        return is(least) && is(most)
            ? figure(least) + " to " + figure(most)
            : is(least)
              ? "at least " + figure(least)
              : is(most)
                ? "at most " + figure(most)
                : "not bounded";
    }

    /** Each check on an axis of its own: a range that fits one number does not fit another. */
    function checks(body, claim, verdictOf, standIn) {
        if ((claim.checks || []).length === 0) {
            return;
        }
        kit.element.into(body, "h3", { text: "Checks: published against measured" + (standIn ? " (" + kit.shown(standIn) + ")" : "") });
        for (const check of claim.checks) {
            const { symbol, word } = verdictOf(check.verdict);
            const line = kit.element.into(body, "p", { class: "check" });
            kit.element.into(line, "strong", { text: symbol + " " + word });
            line.append(" " + kit.shown(check.what) + ": ");
            const measured = check.measured ? "measured " + kit.interval(check.measured, figure) : "not measured";
            const published = typeof check.published === "number" ? "; published " + figure(check.published) : "";
            line.append(measured + "; holds if " + bounds(check) + published + "." + (check.reason ? " " + capital(kit.shown(check.reason)) + "." : ""));
            if (check.measured) {
                dot(body, check);
            }
        }
    }

    const TONES = { holds: ["good", "circle"], does_not_hold: ["bad", "CROSS"] };

    /** The measured dot with its interval, on the band where the claim holds, with the published figure. */
    function dot(body, check) {
        const { measured, at_least: least, at_most: most, published } = check;
        const values = [measured.median, measured.low, measured.high, least, most, published].filter((value) => typeof value === "number");
        const allPositive = values.every((value) => value > 0);
        kit.chart(body, { title: kit.shown(check.what), label: kit.shown(check.what) + ": published and measured", height: 74 }, (theme, width) => {
            const [tone, symbol] = TONES[check.verdict] || ["neutral", "diamond"];
            const [low, high] = [Math.min(...values), Math.max(...values)];
            const room = Math.max((high - low) * 0.15, Math.abs(high) * 0.05) || 1;
            const axis = allPositive
                ? kit.plots.log([low / 1.25, high * 1.25], figure, { room: width - 80 })
                : { type: "value", min: low - room, max: high + room, axisLabel: { formatter: figure, hideOverlap: true, showMinLabel: false, showMaxLabel: false } };
            return {
                grid: { left: 20, right: 30, top: 6, bottom: 24 },
                tooltip: { trigger: "item", formatter: ({ seriesName }) => kit.tip(kit.shown(check.what), seriesName) },
                xAxis: axis,
                yAxis: { type: "category", data: [""], axisTick: { show: false }, axisLine: { show: false } },
                series: [
                    {
                        name: "measured " + kit.interval(measured, figure),
                        type: "scatter",
                        symbol: symbol === "CROSS" ? kit.plots.CROSS : symbol,
                        symbolSize: 13,
                        z: 6,
                        itemStyle: { color: theme[tone] },
                        data: [[measured.median, 0]],
                        markArea: {
                            silent: true,
                            itemStyle: { color: theme.good, opacity: 0.13 },
                            label: { show: true, position: "insideTop", color: theme.faint, fontSize: 11 },
                            data: [[{ name: "holds", xAxis: least ?? axis.min }, { xAxis: most ?? axis.max }]],
                        },
                    },
                    kit.plots.whiskers([[measured.median, 0, Math.max(measured.low, axis.min), Math.min(measured.high, axis.max)]], theme[tone], { across: true, width: 2 }),
                    {
                        name: "published " + figure(published),
                        type: "scatter",
                        symbol: "emptyDiamond",
                        symbolSize: 14,
                        z: 5,
                        itemStyle: { color: theme.text },
                        data: typeof published === "number" ? [[published, 0]] : [],
                        label: { show: true, position: "bottom", distance: 1, color: theme.faint, fontSize: 11, formatter: "published" },
                    },
                ],
            };
        });
    }

    const TIMES = { ns: 1, us: 1e3, "\u00b5s": 1e3, ms: 1e6, s: 1e9 };

    /** `ns/op` as durations, other units as numbers with the unit behind. */
    function formatOf(unit) {
        const [name, ...per] = unit.split("/");
        return Object.prototype.hasOwnProperty.call(TIMES, name.trim())
            ? [(value) => kit.price(typeof value === "number" ? value * TIMES[name.trim()] : value), per.length === 0 ? "time" : per[0] === "op" ? "time per operation" : "time / " + per.join("/")]
            : [(value) => (Math.abs(value) >= 1000 ? kit.rate(value) : figure(value)), unit];
    }

    /** Series that share axis and unit are curves of one chart. */
    function curves(body, claim) {
        const groups = new Map();
        for (const series of claim.series || []) {
            const key = series.x_name + "\0" + series.unit;
            groups.set(key, [...(groups.get(key) || []), series]);
        }
        if (groups.size > 0) {
            kit.element.into(body, "h3", { text: "Measured here" });
        }
        const both = groups.size > 1 ? kit.columns(body) : body;
        for (const group of groups.values()) {
            if (group.every(kit.isCounts)) {
                kit.counts(both, group);
            } else {
                curve(both, group, kit.published(claim, group));
            }
        }
    }

    /** The measured curves, drawn solid, and the published ones, dashed. */
    function curve(parent, group, published) {
        const { x_name: along, unit } = group[0];
        const [format, what] = formatOf(unit);
        const xs = kit.places([...group, ...published.lines]);
        const numeric = xs.length > 1 && xs.every((x) => x.trim() !== "" && Number.isFinite(Number(x)));
        const sorted = numeric ? xs.map(Number).sort((a, b) => a - b) : xs;
        const spread = numeric && sorted[0] > 0 && sorted[sorted.length - 1] / sorted[0] >= 8;
        const place = (x) => (spread ? Number(x) : sorted.indexOf(numeric ? Number(x) : x));
        const ys = group.flatMap(({ points }) => points.flatMap(({ y }) => (y ? [y.median, y.low, y.high] : [])));
        ys.push(...published.lines.flatMap(({ points }) => points.map(({ y }) => y)));
        const log = ys.length > 0 && ys.every((y) => y > 0) && Math.max(...ys) / Math.min(...ys) > 8;
        const missing = group.flatMap(({ name, points }) => points.filter(({ y }) => !y).map(({ x }) => kit.shown(name) + " at " + kit.shown(x)));
        kit.chart(
            parent,
            {
                title: capital(kit.shown(what)) + " by " + kit.shown(along),
                label: what + " by " + along + ": " + group.map(({ name }) => kit.shown(name)).join(", "),
                key: "With 95 % intervals." + (missing.length > 0 ? " \u2715 Not measured: " + missing.join(", ") + "." : "") + published.said,
                height: 300,
            },
            (theme, width) => {
                const entries = [...group.map(({ name }, index) => ({ name: kit.shown(name), index })), ...published.lines.map(({ title, series }) => ({ name: title, index: series }))];
                const legend = kit.plots.legend(theme, entries, width);
                return {
                    grid: { left: 14, right: 24, top: legend.height + 6, bottom: 28, containLabel: true },
                    legend: legend.option,
                    tooltip: {
                        trigger: "item",
                        formatter: ({ seriesIndex, data }) => {
                            const line = published.lines[seriesIndex - 2 * group.length];
                            if (line) {
                                return kit.tip(line.title, kit.publishedPoint(line, along, figure, ({ x }) => place(x) === data[0]));
                            }
                            const { name, points } = group[seriesIndex];
                            const point = points.find((it) => it.y && place(it.x) === data[0]);
                            return kit.tip(kit.shown(name), kit.shown(along) + " " + kit.shown(point.x) + ": " + kit.interval(point.y, format));
                        },
                    },
                    xAxis: {
                        ...(spread
                            ? kit.plots.log(sorted, String, { ticks: sorted })
                            : { type: "category", data: sorted.map((x) => kit.shown(x)), axisLabel: { hideOverlap: true } }),
                        name: kit.shown(along),
                        nameLocation: "middle",
                        nameGap: 26,
                    },
                    yAxis: log
                        ? kit.plots.log(ys, format, { room: 220 })
                        : { type: "value", min: ys.some((y) => y < 0) ? null : 0, splitNumber: 4, axisLabel: { formatter: format } },
                    series: [
                        ...group.map(({ name, points }, index) => {
                            const marks = kit.plots.marks(theme, index);
                            return {
                                name: kit.shown(name),
                                // Words have no order that a line could follow.
                                type: numeric ? "line" : "scatter",
                                symbol: marks.symbol,
                                symbolSize: 8,
                                z: 4,
                                color: marks.color,
                                lineStyle: { width: 2, type: marks.dash },
                                data: points.filter(({ y }) => y).map(({ x, y }) => [place(x), y.median]),
                            };
                        }),
                        ...group.map(({ name, points }, index) =>
                            kit.plots.whiskers(
                                points.filter(({ y }) => y).map(({ x, y }) => [place(x), y.median, log ? Math.max(y.low, Number.MIN_VALUE) : y.low, y.high]),
                                kit.plots.marks(theme, index).color,
                                { extra: { name: kit.shown(name) } },
                            ),
                        ),
                        ...published.lines.map((line) => kit.publishedSeries(line, theme, numeric, place)),
                    ],
                };
            },
        );
    }
}
