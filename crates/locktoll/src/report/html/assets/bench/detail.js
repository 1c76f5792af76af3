"use strict";
// One setting of a bench result: prices, where the time goes, waits, fairness. Rows are locks, the cheapest first.
{
    const kit = locktoll.kit;

    kit.bench.detail = function (parent, { doc, locks, cells }) {
        const cost = (cell) => kit.median(cell.ns_per_op) ?? Infinity;
        const rows = [...cells].sort((a, b) => cost(a) - cost(b));
        const index = (cell) => locks.indexOf(cell.lock);
        const both = kit.columns(parent);
        both.classList.add("two");
        prices(both, doc, rows, index);
        split(both, rows);
        const waited = rows.filter(({ acquire_ns }) => acquire_ns);
        if (waited.length > 0) {
            waits(both, waited);
            tails(both, waited, index);
            strips(both, waited);
        }
        fairness(both, rows, index);
    };

    const name = (cell) => kit.shown(cell.lock);

    function prices(parent, doc, rows, index) {
        const theme = kit.theme();
        const same = kit.bench.pairs(doc, rows, kit.bench.figures.price, () => 0)[0];
        kit.plots.dots(parent, {
            label: "Time an operation of each lock",
            caption:
                "Time an operation (wall time over operations of all threads) with its 95 % interval." +
                (same ? " Grey: " + kit.shown(same.lock) + " measured twice; differences within this mean nothing." : ""),
            format: kit.price,
            shade: same,
            rows: rows.map((cell) => ({
                name: name(cell),
                estimate: cell.ns_per_op,
                remark: kit.bench.remark(cell),
                color: theme.series[index(cell) % theme.series.length],
                symbol: cell.ns_per_op && kit.bench.remark(cell) ? kit.plots.CROSS : kit.plots.marks(theme, index(cell)).symbol,
            })),
        });
    }

    function split(parent, rows) {
        const parts = rows.map((cell) => kit.bench.split(cell));
        if (parts.every((part) => part === null)) {
            return;
        }
        const causes = [
            ["user", "running in user space", "cpu", null],
            ["kernel", "running in the kernel", "locks", Math.PI / 4],
            ["off", "not running: asleep, or waiting for a CPU", "unknown", -Math.PI / 4],
        ];
        kit.chart(
            parent,
            {
                label: "Where the threads' time goes, lock by lock",
                caption: "Threads' time an operation by cause, as shares; the figure behind is all of it.",
                height: (width) => (width < 560 ? 76 : 54) + rows.length * 22,
            },
            (theme, width) => ({
                grid: { left: kit.plots.names(rows.map(name), width).left, right: 70, top: width < 560 ? 50 : 28, bottom: kit.plots.BELOW },
                legend: { top: 0, left: 0, itemWidth: 14, itemGap: 12, textStyle: { fontSize: 11.5 } },
                tooltip: {
                    trigger: "axis",
                    axisPointer: { type: "shadow" },
                    formatter: ([{ dataIndex }]) => {
                        const part = parts[dataIndex];
                        const lines = part ? causes.map(([key, title]) => title + ": " + kit.price(part[key]) + " (" + kit.share(part[key], part.all) + ")") : ["no CPU times: " + (kit.bench.remark(rows[dataIndex]) || "not measured")];
                        return kit.tip(name(rows[dataIndex]), ...lines);
                    },
                },
                xAxis: { type: "value", min: 0, max: 100, interval: 25, axisLabel: { formatter: "{value} %" } },
                yAxis: kit.plots.names(rows.map(name), width).axis,
                series: [
                    ...causes.map(([key, title, color, rotation]) => ({
                        name: title,
                        type: "bar",
                        stack: "all",
                        barCategoryGap: "28%",
                        itemStyle: {
                            color: theme.causes[color],
                            decal: rotation === null ? undefined : kit.plots.hatch(rotation, theme),
                        },
                        data: parts.map((part) => (part && part.all > 0 ? (part[key] / part.all) * 100 : null)),
                    })),
                    kit.plots.behind(
                        parts.map((part, at) => [part ? 100 : 0, at]),
                        (at) => (parts[at] ? kit.price(parts[at].all) : missing(rows[at])),
                        { color: theme.text },
                    ),
                ],
            }),
        );
    }

    const missing = (cell) => (cell.failure ? "\u2715 failed" : cell.cut_off ? "\u2715 cut off" : kit.dash);

    const QUANTILES = [
        ["p50", "median", "circle"],
        ["p99", "p99", "diamond"],
        ["p99_9", "p99.9", "triangle"],
        ["max", "longest", "rect"],
    ];

    function waits(parent, rows) {
        const value = (cell, key) => kit.median(cell.acquire_ns[key]);
        const all = rows.flatMap((cell) => QUANTILES.map(([key]) => value(cell, key)));
        kit.chart(
            parent,
            {
                label: "Waits of each lock, from the median to the longest",
                caption: "From wanting the lock to having it: median, one in 100, one in 1000, the longest of all rounds.",
                height: 54 + rows.length * 22,
            },
            (theme, width) => {
                const names = kit.plots.names(rows.map(name), width);
                return {
                    grid: { left: names.left, right: 24, top: 28, bottom: kit.plots.BELOW },
                    legend: { top: 0, left: 0, itemWidth: 14, itemGap: 12 },
                    tooltip: {
                        trigger: "item",
                        formatter: ({ data }) => {
                            const cell = rows[data[1]];
                            return kit.tip(name(cell), ...QUANTILES.map(([key, title]) => title + ": " + kit.interval(cell.acquire_ns[key], kit.duration)));
                        },
                    },
                    xAxis: kit.plots.log(all, kit.duration, { room: width - names.left - 40 }),
                    yAxis: names.axis,
                    series: [
                        kit.plots.whiskers(
                            rows.map((cell, at) => [value(cell, "max"), at, Math.max(value(cell, "p50"), 1), value(cell, "max")]),
                            theme.line,
                            { across: true, width: 2, extra: { z: 2 } },
                        ),
                        ...QUANTILES.map(([key, title, symbol], at) => ({
                            name: title,
                            type: "scatter",
                            symbol,
                            symbolSize: 10,
                            z: 4,
                            color: [theme.series[2], theme.series[5], theme.series[4], theme.series[1]][at],
                            data: rows.map((cell, row) => [Math.max(value(cell, key) ?? NaN, 1), row]),
                        })),
                    ],
                };
            },
        );
    }

    /** `0.001` (the share that waited longer) as `99.9 %`. */
    function nines(longer) {
        return Number((100 - longer * 100).toPrecision(10)) + " %";
    }

    function tails(parent, rows, index) {
        const lines = rows.map((cell) => {
            const { log2, max } = cell.acquire_ns;
            const all = log2.reduce((sum, number) => sum + number, 0);
            let longer = all;
            const points = [];
            log2.forEach((number, at) => {
                if (number > 0 && points.length === 0) {
                    points.push([2 ** at, 1]);
                }
                longer -= number;
                if (points.length > 0 && longer > 0) {
                    points.push([2 ** (at + 1), longer / all]);
                }
            });
            // The longest is one of them all.
            const last = points[points.length - 1];
            if (last && max > last[0]) {
                points.push([max, 1 / all]);
            }
            return { cell, points };
        });
        const lengths = lines.flatMap(({ points }) => points.map(([x]) => x));
        const legend = (theme, width) => kit.plots.legend(theme, rows.map((cell) => ({ name: name(cell), index: index(cell) })), width);
        const least = Math.min(0.01, ...lines.flatMap(({ points }) => points.map(([, y]) => y)));
        kit.chart(
            parent,
            {
                label: "Cumulative distribution of the waits, with its tail stretched",
                caption: "What share of the acquisitions had the lock after how long. Each step up leaves a tenth of those that waited longer.",
                height: 330,
            },
            (theme, width) => ({
                grid: { left: 8, right: 32, top: legend(theme, width).height + 6, bottom: 26, containLabel: true },
                legend: legend(theme, width).option,
                tooltip: {
                    trigger: "item",
                    formatter: ({ seriesName, data }) => kit.tip(seriesName, nines(data[1]) + " had it after " + kit.duration(data[0])),
                },
                xAxis: { ...kit.plots.log(lengths, kit.duration, { room: width - 80 }), name: "wait", nameLocation: "middle", nameGap: 26 },
                yAxis: {
                    type: "log",
                    inverse: true,
                    min: 10 ** Math.floor(Math.log10(least)),
                    max: 1,
                    axisLabel: { formatter: nines },
                },
                series: lines.map(({ cell, points }) => {
                    const marks = kit.plots.marks(theme, index(cell));
                    return {
                        name: name(cell),
                        type: "line",
                        symbol: marks.symbol,
                        symbolSize: 5,
                        color: marks.color,
                        lineStyle: { width: 1.8, type: marks.dash },
                        emphasis: { focus: "series" },
                        data: points,
                    };
                }),
            }),
        );
    }

    /** A row a lock, a column a power of two: how many acquisitions took that long. */
    function strips(parent, rows) {
        const used = rows.flatMap(({ acquire_ns }) => acquire_ns.log2.flatMap((number, at) => (number > 0 ? [at] : [])));
        const [first, last] = [Math.min(...used), Math.max(...used)];
        const bins = Array.from({ length: last - first + 1 }, (_, at) => first + at);
        const sums = rows.map(({ acquire_ns }) => acquire_ns.log2.reduce((sum, number) => sum + number, 0));
        const data = rows.flatMap(({ acquire_ns }, row) =>
            bins.flatMap((bin, column) => {
                const number = acquire_ns.log2[bin] || 0;
                return number > 0 ? [[column, row, Math.log10(number / sums[row]), number]] : [];
            }),
        );
        kit.chart(
            parent,
            {
                label: "Histogram of the waits of each lock, by powers of two",
                caption: "Histogram of the waits: the darker, the more of the lock's acquisitions took that long; a faint cell is one in a million.",
                height: 72 + rows.length * 22,
            },
            (theme, width) => ({
                grid: { left: kit.plots.names(rows.map(name), width).left, right: 14, top: 30, bottom: 42 },
                tooltip: {
                    formatter: ({ data: [column, row, , number] }) =>
                        kit.tip(
                            name(rows[row]),
                            kit.duration(2 ** bins[column]) + " to " + kit.duration(2 ** (bins[column] + 1)),
                            kit.count(number) + " acquisitions (" + kit.share(number, sums[row]) + ")",
                        ),
                },
                visualMap: {
                    type: "continuous",
                    dimension: 2,
                    min: -6,
                    max: 0,
                    orient: "horizontal",
                    right: 8,
                    top: 0,
                    itemHeight: 110,
                    itemWidth: 12,
                    text: ["all", "1 in a million"],
                    inRange: { color: theme.heat },
                },
                xAxis: {
                    type: "category",
                    data: bins.map((bin) => kit.duration(2 ** bin)),
                    name: "wait, from",
                    nameLocation: "middle",
                    nameGap: 26,
                    axisLabel: { hideOverlap: true },
                    splitLine: { show: false },
                },
                yAxis: kit.plots.names(rows.map(name), width).axis,
                series: [{ type: "heatmap", data, itemStyle: { borderColor: theme.surface, borderWidth: 1 } }],
            }),
        );
    }

    function fairness(parent, rows, index) {
        const points = rows.filter((cell) => cell.threads > 1 && cell.fairness && cell.fairness.jain && kit.median(cell.ops_per_second) > 0);
        if (points.length === 0) {
            return;
        }
        kit.chart(
            parent,
            {
                label: "Fairness against throughput",
                caption: "Fairness (Jain's index: 1 when all threads did the same) against throughput; the larger, the longer its longest wait. Best is at the top right.",
                height: 330,
            },
            (theme, width) => {
                const longest = (cell) => Math.log10((cell.acquire_ns && cell.acquire_ns.max) || 1);
                const [low, high] = [Math.min(...points.map(longest)), Math.max(...points.map(longest))];
                const fair = points.map((cell) => cell.fairness.jain.median);
                return {
                    grid: { left: 8, right: 96, top: 20, bottom: 26, containLabel: true },
                    tooltip: {
                        trigger: "item",
                        formatter: ({ dataIndex }) => {
                            const cell = points[dataIndex];
                            return kit.tip(
                                name(cell),
                                "throughput: " + kit.interval(cell.ops_per_second, (it) => kit.rate(it) + "/s"),
                                "Jain's index: " + kit.interval(cell.fairness.jain, (it) => it.toFixed(3)),
                                "longest wait: " + kit.duration(cell.acquire_ns && cell.acquire_ns.max),
                                "longest run of one thread: " + kit.count(cell.fairness.longest_run),
                            );
                        },
                    },
                    xAxis: {
                        ...kit.plots.log(points.map((cell) => cell.ops_per_second.median), (it) => kit.rate(it) + "/s", { room: width - 190 }),
                        name: "throughput",
                        nameLocation: "middle",
                        nameGap: 26,
                    },
                    yAxis: { type: "value", min: Math.max(0, Math.floor((Math.min(...fair) - 0.02) * 10) / 10), max: 1, splitNumber: 4, axisLabel: { formatter: (it) => it.toFixed(2) } },
                    series: [
                        {
                            type: "scatter",
                            clip: false,
                            data: points.map((cell) => {
                                const marks = kit.plots.marks(theme, index(cell));
                                return {
                                    value: [cell.ops_per_second.median, cell.fairness.jain.median],
                                    symbol: kit.bench.remark(cell) ? kit.plots.CROSS : marks.symbol,
                                    symbolSize: 9 + (high > low ? ((longest(cell) - low) / (high - low)) * 17 : 6),
                                    itemStyle: { color: marks.color, opacity: 0.85 },
                                };
                            }),
                            label: { show: true, position: "right", color: theme.text, formatter: ({ dataIndex }) => name(points[dataIndex]) },
                            labelLine: { show: true, lineStyle: { color: theme.line } },
                            labelLayout: { moveOverlap: "shiftY" },
                        },
                    ],
                };
            },
        );
    }
}
