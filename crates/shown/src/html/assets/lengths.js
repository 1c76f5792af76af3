"use strict";
// Lengths of waits or holds from log2 counts: entry `i` counts those from 2^i up to 2^(i+1) ns.
//
//     kit.histogram(parent, {title, label, height, series: [{name, log2}]})     the share of each length
//     kit.cumulative(parent, {title, label, height, series: [{name, log2}]})    the share up to each length
{
    const kit = locktoll.kit;

    /** The first length that occurs and the one behind the last, over all series; `null` if there is none. */
    function span(series) {
        const used = series.flatMap(({ log2 }) => log2.flatMap((number, at) => (number > 0 ? [at] : [])));
        return used.length === 0 ? null : [Math.min(...used), Math.max(...used) + 1];
    }

    const sum = (log2) => log2.reduce((all, number) => all + number, 0);
    const bound = (at) => kit.duration(2 ** at);

    function legend(series, theme) {
        return { show: series.length > 1, top: 0, right: 8, textStyle: { color: theme.text }, icon: "roundRect" };
    }

    kit.histogram = function (parent, { title, label, key, caption, height = 220, series }) {
        const range = span(series);
        if (!range) {
            return null;
        }
        const isTall = series.some(({ log2 }) => Math.max(...log2) > 0.75 * sum(log2));
        const bins = Array.from({ length: range[1] - range[0] }, (_, at) => range[0] + at);
        return kit.chart(parent, { title, label, key, caption, height }, (theme) => ({
            grid: { left: 8, right: 12, top: 30, bottom: 26, containLabel: true },
            legend: legend(series, theme),
            tooltip: {
                trigger: "axis",
                axisPointer: { type: "shadow" },
                formatter: (points) => {
                    const at = bins[points[0].dataIndex];
                    const lines = points.map((point) => {
                        const { name, log2 } = series[point.seriesIndex];
                        const number = log2[at] || 0;
                        return name + ": " + kit.count(number) + " (" + kit.share(number, sum(log2)) + ")";
                    });
                    return kit.tip(bound(at) + " to " + bound(at + 1), ...lines);
                },
            },
            xAxis: {
                type: "category",
                data: bins.map(bound),
                name: "length, from",
                nameLocation: "middle",
                nameGap: 26,
                axisLabel: { hideOverlap: true },
            },
            yAxis: { type: "value", ...(isTall ? { max: 100, interval: 25 } : { splitNumber: 3 }), axisLabel: { formatter: "{value} %" } },
            series: series.map(({ name, log2 }) => ({
                name,
                type: "bar",
                barGap: "0%",
                barCategoryGap: "12%",
                data: bins.map((at) => ((log2[at] || 0) / Math.max(1, sum(log2))) * 100),
            })),
        }));
    };

    kit.cumulative = function (parent, { title, label, key, caption, height = 220, series }) {
        const range = span(series);
        if (!range) {
            return null;
        }
        const dashes = ["solid", "dashed", "dotted"];
        const ticks = (width) => kit.plots.ticks(2 ** range[0], 2 ** range[1], width * 0.8);
        const lines = series.map(({ name, log2 }) => {
            const all = sum(log2);
            let below = 0;
            const points = [[2 ** range[0], 0]];
            for (let at = range[0]; at < range[1]; at++) {
                below += log2[at] || 0;
                points.push([2 ** (at + 1), all > 0 ? (below / all) * 100 : 0]);
            }
            return { name, points };
        });
        return kit.chart(parent, { title, label, key, caption, height }, (theme, width) => ({
            grid: { left: 8, right: 34, top: 30, bottom: 26, containLabel: true },
            legend: legend(series, theme),
            tooltip: {
                trigger: "axis",
                formatter: (points) =>
                    kit.tip(
                        "up to " + kit.duration(points[0].value[0]),
                        ...points.map((point) => lines[point.seriesIndex].name + ": " + point.value[1].toFixed(2) + " %"),
                    ),
            },
            xAxis: {
                type: "log",
                logBase: 10,
                min: 2 ** range[0],
                max: 2 ** range[1],
                axisTick: { customValues: ticks(width) },
                name: "up to",
                nameLocation: "middle",
                nameGap: 26,
                axisLabel: { customValues: ticks(width), formatter: (ns) => kit.duration(ns), hideOverlap: true },
                splitLine: { show: false },
            },
            yAxis: { type: "value", min: 0, max: 100, interval: 25, axisLabel: { formatter: "{value} %" } },
            series: lines.map(({ name, points }, at) => ({
                name,
                type: "line",
                data: points,
                showSymbol: false,
                lineStyle: { width: 2, type: dashes[at % dashes.length] },
                areaStyle: { opacity: at === 0 ? 0.12 : 0 },
            })),
        }));
    };
}
