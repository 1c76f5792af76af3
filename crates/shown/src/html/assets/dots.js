"use strict";
// One line per thing: its figure as a dot with its interval, on a logarithmic axis.
//
//     kit.plots.dots(parent, {title, label, key, caption, rows, format, shade, line})
{
    const kit = locktoll.kit;
    const plots = kit.plots;

    /**
     * One line per thing: `rows` of {name, estimate, remark, behind, strong, color, symbol}. A row without an estimate shows its
     * remark instead; `behind` follows the figure; `strong` rows are headings; `tone` is a colour's name in the theme.
     * `shade` is a range in grey: {low, high}; `line` a value that all are compared with, which is on the axis together with its shade.
     */
    plots.dots = function (parent, { title, label, key, caption, rows, format, shade, line }) {
        const height = (width) => 12 + plots.BELOW + rows.length * plots.line(width);
        return kit.chart(parent, { title, label, key, caption, height }, (theme, width) => {
            const names = plots.names(rows.map(({ name, strong }) => (strong ? "" : name)), width);
            const measured = rows.flatMap(({ estimate }, at) => (estimate && estimate.median > 0 ? [{ at, estimate }] : []));
            const against = line ? [line, ...(shade ? [shade.low, shade.high] : [])] : [];
            const bounds = [...against, ...measured.flatMap(({ estimate }) => [estimate.median, estimate.low, estimate.high])];
            const behind = Math.max(60, ...measured.map(({ at, estimate }) => plots.wide(behindOf(rows[at], estimate, format)) + 16));
            const axis = plots.log(bounds, format, { room: width - names.left - behind });
            const foot = axis.min * (axis.max / axis.min) ** 0.012;
            const tone = (at) => rows[at].color || theme[rows[at].tone] || theme.series[0];
            const intervals = measured.map(({ at, estimate }) => {
                const low = estimate.low > 0 ? estimate.low : axis.min;
                return Object.assign([estimate.median, at, low, estimate.high], { color: tone(at) });
            });
            // On a logarithmic axis there is no zero: a value that is not above zero is at the foot, and is marked.
            const zero = ({ estimate }) => kit.median(estimate) !== null;
            const others = (wanted) => rows.flatMap((row, at) => (wanted(row) && !measured.some((it) => it.at === at) ? [[foot, at]] : []));
            return {
                grid: { left: names.left, right: behind, top: 6, bottom: plots.BELOW },
                tooltip: { trigger: "item", formatter: ({ value }) => tip(rows[value[1]], format) },
                xAxis: axis,
                yAxis: names.axis,
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
                        ...plots.against(theme, line, shade),
                    },
                    plots.behind(
                        // Rows that are compared with a line have their texts in a column of their own, away from the line.
                        measured.map(({ at, estimate }) => [line ? axis.max : Math.max(estimate.median, estimate.high), at]),
                        (index) => behindOf(rows[measured[index].at], measured[index].estimate, format),
                        { color: theme.text },
                    ),
                    plots.crosses(
                        theme,
                        others(({ strong }) => !strong).map((value) => (zero(rows[value[1]]) ? { value, symbol: "emptyCircle" } : value)),
                        {
                            width: width - names.left - 40,
                            overflow: "truncate",
                            formatter: ({ value }) => (zero(rows[value[1]]) ? notAbove(rows[value[1]].estimate, format) : rows[value[1]].remark || "not measured"),
                        },
                    ),
                    plots.behind(
                        others(({ strong }) => strong),
                        (index) => rows.filter(({ strong }) => strong)[index].name,
                        { color: theme.text, fontWeight: "bold", distance: -4 },
                    ),
                ],
            };
        });
    };

    function behindOf(row, { median }, format) {
        return format(median) + (row.behind ? "  (" + row.behind + ")" : "");
    }

    function notAbove({ low, high }, format) {
        const sign = low < 0 ? "\u2212" + format(-low) : "0";
        return "not above 0" + (typeof high === "number" ? " (" + sign + " to " + format(high) + ")" : "");
    }

    function tip(row, format) {
        return kit.tip(row.name, row.estimate && kit.interval(row.estimate, format), row.remark);
    }
}
