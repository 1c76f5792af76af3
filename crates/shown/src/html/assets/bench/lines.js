"use strict";
// One line per lock by one parameter, with the interval of each figure and the A/A pair.
{
    const kit = locktoll.kit;

    /**
     * `cells` differ in lock and in the parameter `axis` only. Locks keep their colours whatever is shown; `most` lines are shown
     * at first.
     */
    kit.bench.lines = function (parent, { doc, locks, axis, cells, knobs, figure, most }) {
        const spread = axis.numeric && axis.values.every((value) => value > 0);
        const at = (value) => axis.values.findIndex((it) => kit.bench.key(it) === kit.bench.key(value));
        const x = (cell) => (spread ? cell[axis.name] : at(cell[axis.name] ?? null));
        const lines = locks.map((lock, index) => {
            const own = cells.filter((cell) => cell.lock === lock && kit.median(figure.of(cell)) > 0);
            const points = own.map((cell) => ({ cell, x: x(cell), estimate: figure.of(cell) })).sort((a, b) => a.x - b.x);
            return { lock, index, points };
        });
        const drawn = lines.filter(({ points }) => points.length > 0);
        const zero = cells.filter((cell) => kit.median(figure.of(cell)) <= 0 && kit.median(figure.of(cell)) !== null);
        const missing = locks.filter((lock) => cells.every((cell) => cell.lock !== lock || kit.median(figure.of(cell)) === null)).map(kit.shown);
        const shown = best(drawn, most, figure.more);
        const same = pairs(doc, cells, figure, x);
        const others = knobs.filter(({ name }) => name !== axis.name);
        const setting = others.length > 0 && cells.length > 0 ? " (" + kit.bench.setting(cells[0], others) + ")" : "";
        kit.heading(parent, capital(figure.title) + " by " + axis.title + setting, null, "Curves");
        const caption = [
            "Shaded: the 95 % interval of each median.",
            same.length > 0 ? "Grey around " + kit.shown(same[0].lock) + ": the same lock measured twice; smaller differences mean nothing." : "",
            zero.length > 0 ? "Not above zero, so not on this axis: " + [...new Set(zero.map((cell) => kit.shown(cell.lock) + " at " + axis.text(cell[axis.name] ?? null)))].join(", ") + "." : "",
            cells.some((cell) => kit.bench.remark(cell) && kit.median(figure.of(cell)) > 0) ? "\u2715 marks figures with a remark." : "",
        ];
        const key = [
            drawn.length > shown.size ? shown.size + " of " + drawn.length + " locks are drawn; click a name in the list to show or hide its line." : "",
            missing.length > 0 ? "Not measured, so not drawn: " + missing.join(", ") + "." : "",
        ];
        const title = capital(figure.title) + ", " + figure.unit;
        kit.chart(parent, { title, label: figure.title + " of each lock by " + axis.title, height: 460, key: key.filter(Boolean).join(" "), caption: caption.filter(Boolean).join(" ") }, (theme, width) =>
            option(theme, width, { axis, spread, figure, drawn, shown, same }),
        );
    };

    function option(theme, width, { axis, spread, figure, drawn, shown, same }) {
        const wide = width >= 760;
        const values = drawn.flatMap(({ points }) => points.flatMap(({ estimate }) => [estimate.median, estimate.low ?? estimate.median, estimate.high ?? estimate.median]));
        const ticks = spread ? { ticks: axis.values } : {};
        const entries = drawn.map(({ lock, index }) => ({ name: kit.shown(lock), index }));
        const legend = kit.plots.legend(theme, entries, width);
        return {
            grid: { left: 14, right: wide ? 176 : 22, top: wide ? 16 : legend.height, bottom: 30, containLabel: true },
            legend: {
                ...legend.option,
                ...(wide ? { type: "scroll", orient: "vertical", left: null, right: 6, top: 14, bottom: 10 } : {}),
                selected: Object.fromEntries(drawn.map(({ lock }) => [kit.shown(lock), shown.has(lock)])),
            },
            tooltip: { trigger: "axis", formatter: (params) => tip(params, { axis, spread, figure, drawn }) },
            xAxis: {
                ...(spread
                    ? kit.plots.log(axis.values, axis.text, { ...ticks, room: width - 240 })
                    : { type: "category", data: axis.values.map(axis.text), boundaryGap: true, splitLine: { show: true } }),
                name: axis.title,
                nameLocation: "middle",
                nameGap: 28,
            },
            yAxis: { ...kit.plots.log(values, figure.format, { room: 420 }) },
            series: [
                ...same.slice(0, 1).map(() =>
                    kit.plots.band(same.map((pair) => [pair.x, pair.low, pair.high]), { color: theme.faint, opacity: 0.3, extra: { name: kit.shown(same[0].lock) } }),
                ),
                ...drawn.flatMap(({ lock, index, points }) => {
                    const marks = kit.plots.marks(theme, index);
                    const name = kit.shown(lock);
                    const bounded = points.filter(({ estimate }) => estimate.low > 0);
                    return [
                        ...(bounded.length > 1 ? [kit.plots.band(bounded.map(({ x, estimate }) => [x, estimate.low, estimate.high]), { color: marks.color, extra: { name } })] : []),
                        ...(bounded.length > 0 && bounded.length <= 1 ? [kit.plots.whiskers(bounded.map(({ x, estimate }) => [x, estimate.median, estimate.low, estimate.high]), marks.color, { extra: { name } })] : []),
                        {
                            name,
                            type: "line",
                            z: 4,
                            symbol: marks.symbol,
                            symbolSize: 8,
                            color: marks.color,
                            lineStyle: { width: 2, type: marks.dash, color: marks.color },
                            itemStyle: { color: marks.color },
                            emphasis: { focus: "series" },
                            data: points.map(({ x, cell, estimate }) =>
                                kit.bench.remark(cell) ? { value: [x, estimate.median], symbol: kit.plots.CROSS, symbolSize: 13 } : [x, estimate.median],
                            ),
                        },
                    ];
                }),
            ],
        };
    }

    function tip(params, { axis, spread, figure, drawn }) {
        const points = params.filter(({ seriesType }) => seriesType === "line");
        if (points.length === 0) {
            return "";
        }
        const value = points[0].value[0];
        const rows = points.map((point) => drawn.find(({ lock }) => kit.shown(lock) === point.seriesName).points.find((it) => it.x === value));
        rows.sort((a, b) => (figure.more ? -1 : 1) * (a.estimate.median - b.estimate.median));
        return kit.tip(
            axis.title + " " + axis.text(spread ? value : axis.values[value]),
            ...rows.map(({ cell, estimate }) => {
                const remark = kit.bench.remark(cell);
                return kit.shown(cell.lock) + ": " + kit.interval(estimate, figure.format) + (remark ? " \u2715 " + kit.cut(remark, 60) : "");
            }),
        );
    }

    const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

    /** The `most` best locks at the last place that each has. */
    function best(lines, most, more) {
        const last = ({ points }) => points[points.length - 1].estimate.median;
        const ordered = [...lines].sort((a, b) => (more ? last(b) - last(a) : last(a) - last(b)));
        return new Set(ordered.slice(0, most).map(({ lock }) => lock));
    }

    /** Bounds of the figure of a cell's second run, from the ratio of its time to that of the first. */
    function pairs(doc, cells, figure, x) {
        const known = { throughput: -1, "time per operation": 1 }[figure.title];
        if (!known) {
            return [];
        }
        return (doc.noise.same_lock_twice || [])
            .flatMap(({ cell, ratio, lock }) => {
                const first = doc.cells[cell];
                const median = first && cells.includes(first) ? kit.median(figure.of(first)) : null;
                const bounds = known > 0 ? [ratio.low, ratio.high] : [1 / ratio.high, 1 / ratio.low];
                // The first run itself lies within, or the band would not show to which line it belongs.
                return median > 0 && ratio.low > 0
                    ? [{ lock, x: x(first), low: median * Math.min(1, bounds[0]), high: median * Math.max(1, bounds[1]) }]
                    : [];
            })
            .sort((a, b) => a.x - b.x);
    }
    kit.bench.pairs = pairs;
}
