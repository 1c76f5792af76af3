"use strict";
// The parts of several charts: axes with ticks where people look for them, marks, intervals, bands.
//
//     kit.plots.log(values, format, {ticks, room})    a logarithmic axis that holds all `values`
//     kit.plots.ticks(low, high, room)                where such an axis has its ticks
//     kit.plots.names(names, width)                   an axis of names, from top to bottom, and the room it takes at the left
//     kit.plots.line(width), kit.plots.bar(width)     the height of a line of such an axis, and the breadth of a bar on it
//     kit.plots.marks(theme, at)                      colour, symbol and dash of the `at`-th of several things
//     kit.plots.legend(theme, entries, width)         the name of each mark, in as many rows as they need
//     kit.plots.whiskers(rows, colour)                bars from low to high; rows are [x, y, low, high]
//     kit.plots.band(points, {color, opacity})        an area from low to high; points are [x, low, high]
//     kit.plots.behind(ends, text, style)             texts behind the ends of intervals
//     kit.plots.against(theme, line, shade)           the line and the grey range that figures are compared with
//     kit.plots.crosses(theme, data, label)           crosses for values that have no place on the axis
{
    const kit = locktoll.kit;
    const plots = (kit.plots = {});

    /** Neighbouring things differ in colour and symbol, and those that share both by their dash. */
    const SYMBOLS = [
        "circle",
        "rect",
        "triangle",
        "diamond",
        "path://M-4,-3.5L4,-3.5L0,4Z",
        "path://M-1.2,-4h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8v-2.4h2.8z",
        "path://M-2,-4L2,-4L4,0L2,4L-2,4L-4,0Z",
    ];
    const DASHES = ["solid", "dashed", "dotted"];
    /** A cross, for values with a fault. */
    plots.CROSS = "path://M-4,-3L-3,-4L0,-1L3,-4L4,-3L1,0L4,3L3,4L0,1L-3,4L-4,3L-1,0Z";

    plots.marks = function (theme, at) {
        const colors = theme.series;
        return {
            color: colors[at % colors.length],
            symbol: SYMBOLS[at % SYMBOLS.length],
            dash: DASHES[Math.floor(at / colors.length) % DASHES.length],
        };
    };

    /** Stripes on an area, for readers who cannot distinguish its colour from its neighbour's. */
    plots.hatch = (rotation, theme) => ({
        symbol: "rect",
        dashArrayX: [1, 0],
        dashArrayY: [2, 4],
        rotation,
        color: theme.dark ? "rgba(0,0,0,0.28)" : "rgba(255,255,255,0.4)",
    });

    const positive = (values) => values.filter((value) => Number.isFinite(value) && value > 0);

    /** The nearest 1, 2 or 5 of a decade that is not above (`way` -1) or not below (`way` 1) `value`. */
    function round(value, way) {
        const decade = 10 ** Math.floor(Math.log10(value));
        const steps = [1, 2, 5, 10].map((step) => step * decade);
        return way < 0 ? steps.filter((step) => step <= value * 1.0001).pop() : steps.find((step) => step >= value * 0.9999);
    }

    /** Ticks at 1, 2 and 5 of each decade, or fewer where there are many decades. */
    function ticksOf(low, high, room) {
        const decades = Math.log10(high / low);
        const wanted = Math.max(2, Math.floor(room / 62));
        const steps = decades * 6 <= wanted ? [1, 1.5, 2, 3, 5, 7] : decades * 3 <= wanted ? [1, 2, 5] : decades * 2 <= wanted ? [1, 3] : [1];
        const each = Math.max(1, Math.ceil(decades / wanted));
        const ticks = [];
        for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++) {
            if (exponent % each === 0) {
                ticks.push(...steps.map((step) => step * 10 ** exponent));
            }
        }
        const within = ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
        return within.length > 1 ? within.map((tick) => Number(tick.toPrecision(6))) : [low, high];
    }

    plots.ticks = ticksOf;

    plots.log = function (values, format, { ticks, room = 400, grid = true } = {}) {
        const known = positive(values);
        const least = known.length > 0 ? Math.min(...known) : 1;
        const most = known.length > 0 ? Math.max(...known) : 10;
        // Room around given ticks, so that marks at the ends do not touch the axis.
        let [min, max] = ticks ? [least / 1.12, most * 1.12] : [round(least, -1), round(most, 1)];
        if (max / min < 2) {
            [min, max] = [min / 2, max * 2];
        }
        const customValues = ticks || ticksOf(min, max, room);
        return {
            type: "log",
            logBase: 10,
            min,
            max,
            axisTick: { customValues },
            axisLabel: { customValues, formatter: (value) => format(value), hideOverlap: true },
            splitLine: { show: grid },
        };
    };

    const pen = document.createElement("canvas").getContext("2d");

    /** How wide a text is in a chart, in pixels. */
    plots.wide = function (text) {
        pen.font = "12px " + getComputedStyle(document.body).fontFamily;
        return pen.measureText(text).width;
    };

    /** Width of a chart below which names are above their lines, not at their left. */
    const NARROW = 520;

    /** The height of a line with its name. */
    plots.line = (width) => (width < NARROW ? 38 : 22);

    /** The breadth of a bar on such a line, which is `broad` if its name is at its left. */
    plots.bar = (width, broad = 17) => (width < NARROW ? 12 : broad);

    plots.names = function (names, width, above = 9) {
        if (width < NARROW) {
            const label = { interval: 0, inside: true, margin: 2, verticalAlign: "bottom", padding: [0, 0, above, 0], width: width - 30, overflow: "truncate" };
            return { left: 12, axis: { type: "category", data: names, inverse: true, z: 6, axisTick: { show: false }, axisLabel: label } };
        }
        const most = Math.min(300, width * 0.38);
        const room = Math.ceil(Math.min(most, Math.max(20, ...names.map(plots.wide)) + 2));
        return {
            left: room + 12,
            axis: {
                type: "category",
                data: names,
                inverse: true,
                axisTick: { show: false },
                axisLabel: { interval: 0, width: room, overflow: "truncate" },
            },
        };
    };

    const line = (x1, y1, x2, y2, style) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });

    /**
     * A legend over the width of a chart: `entries` are {name, index}, marked as things of that index. `height` is the room that it needs
     * at the top.
     */
    plots.legend = function (theme, entries, width, { left = 8 } = {}) {
        let rows = 1;
        let used = 0;
        for (const { name } of entries) {
            const own = Math.min(plots.wide(name), 150) + 36;
            if (used > 0 && used + own > width - left - 16) {
                rows += 1;
                used = 0;
            }
            used += own;
        }
        return {
            height: rows * 22 + 6,
            option: {
                type: "plain",
                top: 0,
                left,
                right: 8,
                itemWidth: 14,
                itemGap: 12,
                textStyle: { width: 150, overflow: "truncate" },
                data: entries.map(({ name, index }) => {
                    const { symbol, color } = plots.marks(theme, index);
                    return { name, icon: symbol, itemStyle: { color } };
                }),
            },
        };
    };

    /** Bars from `low` to `high` with short ends; upright, or lying for `across`. */
    plots.whiskers = function (rows, color, { across = false, width = 1.4, extra = {} } = {}) {
        return {
            type: "custom",
            silent: true,
            tooltip: { show: false },
            z: 3,
            clip: true,
            data: rows,
            encode: { x: across ? [2, 3] : 0, y: across ? 1 : [2, 3] },
            renderItem: (params, api) => {
                const [x, y, low, high] = [0, 1, 2, 3].map((at) => api.value(at));
                const from = api.coord(across ? [low, y] : [x, low]);
                const to = api.coord(across ? [high, y] : [x, high]);
                const own = rows[params.dataIndex].color || color;
                const style = { stroke: own, lineWidth: width, fill: null };
                const end = across ? [0, 4] : [4, 0];
                return {
                    type: "group",
                    children: [
                        line(...from, ...to, style),
                        line(from[0] - end[0], from[1] - end[1], from[0] + end[0], from[1] + end[1], style),
                        line(to[0] - end[0], to[1] - end[1], to[0] + end[0], to[1] + end[1], style),
                    ],
                };
            },
            ...extra,
        };
    };

    plots.band = function (points, { color, opacity = 0.14, extra = {} }) {
        return {
            type: "custom",
            silent: true,
            tooltip: { show: false },
            z: 1,
            clip: true,
            data: points,
            encode: { x: 0, y: [1, 2] },
            itemStyle: { color },
            renderItem: (params, api) => {
                if (params.dataIndex !== 0) {
                    return null;
                }
                const above = points.map(([x, , high]) => api.coord([x, high]));
                const below = points.map(([x, low]) => api.coord([x, low]));
                if (points.length === 1) {
                    // One point has no breadth of its own.
                    above.push([above[0][0] + 12, above[0][1]]);
                    below.push([below[0][0] + 12, below[0][1]]);
                    above[0] = [above[0][0] - 12, above[0][1]];
                    below[0] = [below[0][0] - 12, below[0][1]];
                }
                return {
                    type: "polygon",
                    shape: { points: [...above, ...below.reverse()] },
                    style: { fill: color, opacity },
                };
            },
            ...extra,
        };
    };

    /** Room below the axis of a chart whose names are at its left. */
    plots.BELOW = 26;

    /** Texts behind the ends of intervals: `ends` are [x, y], `text` gives the text of each by its index. */
    plots.behind = function (ends, text, style) {
        return {
            type: "scatter",
            silent: true,
            symbolSize: 0.01,
            tooltip: { show: false },
            z: 5,
            data: ends,
            label: { show: true, position: "right", distance: 9, formatter: ({ dataIndex }) => text(dataIndex), ...style },
        };
    };

    /** The values that a scatter is compared with: a line across the axis, and a grey range around it. */
    plots.against = (theme, line, shade) => ({
        markLine: line && {
            silent: true,
            symbol: "none",
            label: { show: false },
            lineStyle: { color: theme.text, type: "solid", width: 1 },
            data: [{ xAxis: line }],
        },
        markArea: shade && {
            silent: true,
            itemStyle: { color: theme.faint, opacity: 0.18 },
            data: [[{ xAxis: shade.low }, { xAxis: shade.high }]],
        },
    });

    /** A value that has no place on the axis: a faint cross, followed by the reason. */
    plots.crosses = (theme, data, label) => ({
        type: "scatter",
        symbol: plots.CROSS,
        symbolSize: 8,
        z: 4,
        itemStyle: { color: theme.faint },
        data,
        label: { show: true, position: "right", color: theme.faint, fontStyle: "italic", ...label },
    });
}
