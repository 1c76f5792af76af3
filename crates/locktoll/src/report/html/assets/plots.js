"use strict";
// What several charts are made of: axes with ticks where people look for them, marks, intervals, bands.
//
//     kit.plots.log(values, format, {ticks, room})    a logarithmic axis that holds all `values`
//     kit.plots.names(names, room)                    an axis of names, from top to bottom
//     kit.plots.marks(theme, at)                      colour, symbol and dash of the `at`-th of several things
//     kit.plots.whiskers(rows, colour)                bars from low to high; rows are [x, y, low, high]
//     kit.plots.band(points, {color, opacity})        an area from low to high; points are [x, low, high]
//     kit.plots.dots(parent, {label, rows, format})   a line a thing: its figure as a dot with its interval
{
    const kit = locktoll.kit;
    const plots = (kit.plots = {});

    /** Neighbouring things differ in colour and symbol, and those that share both by their dash. */
    const SYMBOLS = ["circle", "rect", "triangle", "diamond", "pin", "path://M-1,-4h2v3h3v2h-3v3h-2v-3h-3v-2h3z", "arrow"];
    const DASHES = ["solid", "dashed", "dotted"];
    /** A cross, for what is not as it should be. */
    plots.CROSS = "path://M-4,-3L-3,-4L0,-1L3,-4L4,-3L1,0L4,3L3,4L0,1L-3,4L-4,3L-1,0Z";

    plots.marks = function (theme, at) {
        const colors = theme.series;
        return {
            color: colors[at % colors.length],
            symbol: SYMBOLS[at % SYMBOLS.length],
            dash: DASHES[Math.floor(at / colors.length) % DASHES.length],
        };
    };

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
        const steps = decades * 3 <= wanted ? [1, 2, 5] : decades * 2 <= wanted ? [1, 3] : [1];
        const each = Math.max(1, Math.ceil(decades / wanted));
        const ticks = [];
        for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++) {
            if (exponent % each === 0) {
                ticks.push(...steps.map((step) => step * 10 ** exponent));
            }
        }
        const within = ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
        return within.length > 1 ? within : [low, high];
    }

    plots.log = function (values, format, { ticks, room = 400, grid = true } = {}) {
        const known = positive(values);
        const least = known.length > 0 ? Math.min(...known) : 1;
        const most = known.length > 0 ? Math.max(...known) : 10;
        // Room beside given ticks, so that marks at the ends stand clear of the axis.
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

    plots.names = function (names, room) {
        return {
            type: "category",
            data: names,
            inverse: true,
            axisTick: { show: false },
            axisLabel: { interval: 0, width: room, overflow: "truncate" },
        };
    };

    /** How much of a chart of this width names may take. */
    plots.nameRoom = (width, wanted = 130) => Math.round(Math.min(wanted, width * 0.36));

    const line = (x1, y1, x2, y2, style) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });

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

    /**
     * A line a thing: `rows` of {name, estimate, remark, strong, color, symbol}. A row without an estimate says its remark
     * instead; `strong` rows are headings. `shade` is a range in grey with its name: {low, high}.
     */
    plots.dots = function (parent, { label, caption, rows, format, nameRoom, shade }) {
        const height = 44 + rows.length * 22;
        return kit.chart(parent, { label, caption, height }, (theme, width) => {
            const room = plots.nameRoom(width, nameRoom);
            const measured = rows.flatMap(({ estimate }, at) => (estimate && estimate.median > 0 ? [{ at, estimate }] : []));
            const bounds = measured.flatMap(({ estimate }) => [estimate.median, estimate.low, estimate.high]);
            const axis = plots.log(bounds, format, { room: width - room - 90 });
            const tone = (at) => rows[at].color || theme.series[0];
            const intervals = measured.map(({ at, estimate }) => {
                const low = estimate.low > 0 ? estimate.low : axis.min;
                return Object.assign([estimate.median, at, low, estimate.high], { color: tone(at) });
            });
            const missing = rows.flatMap((row, at) => (!row.strong && !measured.some((it) => it.at === at) ? [at] : []));
            return {
                grid: { left: 8, right: 78, top: 8, bottom: 8, containLabel: true },
                tooltip: {
                    trigger: "item",
                    formatter: ({ data }) => tip(rows[data.value ? data.value[1] : data[1]]),
                },
                xAxis: { ...axis, position: "bottom" },
                yAxis: {
                    ...plots.names(rows.map(({ name }) => name), room),
                    axisLabel: {
                        interval: 0,
                        width: room,
                        overflow: "truncate",
                        formatter: (name, at) => (rows[at].strong ? "{strong|" + name.replace(/[{}|]/g, " ") + "}" : name),
                        rich: { strong: { fontWeight: "bold", color: theme.text, align: "left" } },
                    },
                },
                series: [
                    plots.whiskers(intervals, theme.series[0], { across: true }),
                    {
                        type: "scatter",
                        symbolSize: 9,
                        z: 4,
                        data: measured.map(({ at, estimate }) => ({
                            value: [estimate.median, at],
                            symbol: rows[at].symbol || "circle",
                            itemStyle: { color: tone(at) },
                        })),
                        label: {
                            show: true,
                            position: "right",
                            distance: 10,
                            color: theme.text,
                            formatter: ({ value }) => format(value[0]),
                        },
                        labelLayout: ({ dataIndex }) => beside(dataIndex, measured, axis, width, room),
                        markArea: shade && {
                            silent: true,
                            itemStyle: { color: theme.faint, opacity: 0.16 },
                            data: [[{ xAxis: shade.low }, { xAxis: shade.high }]],
                        },
                    },
                    {
                        type: "scatter",
                        symbol: plots.CROSS,
                        symbolSize: 8,
                        z: 4,
                        itemStyle: { color: theme.faint },
                        data: missing.map((at) => [axis.min * (axis.max / axis.min) ** 0.015, at]),
                        label: {
                            show: true,
                            position: "right",
                            color: theme.faint,
                            fontStyle: "italic",
                            width: width - room - 110,
                            overflow: "truncate",
                            formatter: ({ value }) => rows[value[1]].remark || "not measured",
                        },
                    },
                ],
            };
        });

        function tip(row) {
            return kit.tip(row.name, row.estimate && kit.interval(row.estimate, format), row.remark);
        }
    };

    /** The label stands behind the interval, not on it. */
    function beside(index, measured, axis, width, room) {
        const { estimate } = measured[index];
        const pixels = (value) => (Math.log(value / axis.min) / Math.log(axis.max / axis.min)) * (width - room - 120);
        return { dx: Math.max(0, pixels(Math.min(estimate.high, axis.max)) - pixels(estimate.median)) };
    }
}
