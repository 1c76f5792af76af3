"use strict";
// Waits of one setting of a bench result: from the median to the longest, their distribution and its tail, lock by lock.
{
    const kit = locktoll.kit;

    /** `rows` are cells whose waits were timed; `index` gives a cell its colour. */
    kit.bench.waits = function (parent, rows, index) {
        quantiles(parent, rows);
        tails(parent, rows, index);
        strips(parent, rows);
    };

    const name = (cell) => kit.shown(cell.lock);

    const QUANTILES = [
        ["p50", "median", "circle"],
        ["p99", "p99", "diamond"],
        ["p99_9", "p99.9", "triangle"],
        ["max", "longest", "rect"],
    ];

    function quantiles(parent, rows) {
        const value = (cell, key) => kit.median(cell.acquire_ns[key]);
        const all = rows.flatMap((cell) => QUANTILES.map(([key]) => value(cell, key)));
        kit.chart(
            parent,
            {
                title: "Waits of each lock, from the median to the longest",
                label: "Waits of each lock, from the median to the longest",
                caption: "From wanting the lock to having it: median, one in 100, one in 1000, the longest of all rounds.",
                height: (width) => 54 + rows.length * kit.plots.line(width),
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
                title: "Share of acquisitions that had the lock after each wait",
                label: "Cumulative distribution of the waits, with its tail stretched",
                caption: "The vertical axis is the share of acquisitions that had the lock after the wait on the horizontal axis. Each step up leaves a tenth of those that waited longer.",
                height: 330,
            },
            (theme, width) => ({
                grid: { left: 8, right: 32, top: legend(theme, width).height + 6, bottom: 26, containLabel: true },
                legend: legend(theme, width).option,
                tooltip: {
                    trigger: "item",
                    formatter: ({ seriesName, data }) => kit.tip(seriesName, nines(data[1]) + " had the lock after " + kit.duration(data[0])),
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

    /** One row per lock, one column per power of two: the number of acquisitions that waited so long. */
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
                title: "Acquisitions by wait",
                label: "Histogram of the waits of each lock, by powers of two",
                caption: "The stronger the colour, the more of the lock's acquisitions waited that long.",
                height: (width) => 72 + rows.length * kit.plots.line(width),
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
}
