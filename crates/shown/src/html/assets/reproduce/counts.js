"use strict";
// Histograms of counts by powers of two, next to each other: `kit.counts(parent, group)`, for series that `kit.isCounts` accepts.
{
    const kit = locktoll.kit;
    const POWER = /^2\^(\d{1,2})$/;
    /** Where the bar of a single one begins, on a logarithmic axis. */
    const BELOW_ONE = 0.5;

    kit.isCounts = ({ points }) => points.length > 0 && points.every(({ x, y }) => POWER.test(x) && y && y.n === 1);

    const powerOf = (x) => Number(POWER.exec(x)[1]);

    kit.counts = function (parent, group) {
        const { x_name: along, unit } = group[0];
        const at = group.map(({ points }) => new Map(points.map(({ x, y }) => [powerOf(x), y.median])));
        const used = at.flatMap((counts) => [...counts.keys()]);
        const first = Math.min(...used);
        const powers = Array.from({ length: Math.max(...used) - first + 1 }, (_, step) => first + step);
        const all = at.flatMap((counts) => [...counts.values()]);
        kit.chart(
            parent,
            {
                title: kit.shown(unit.charAt(0).toUpperCase() + unit.slice(1)) + ", by length",
                label: kit.shown(unit) + " by " + kit.shown(along) + ": " + group.map(({ name }) => kit.shown(name)).join(", "),
                key: "The counts of all rounds, on a logarithmic axis.",
                height: 300,
            },
            (theme, width) => {
                const legend = kit.plots.legend(
                    theme,
                    group.map(({ name }, index) => ({ name: kit.shown(name), index })),
                    width,
                );
                return {
                    grid: { left: 14, right: 24, top: legend.height + 6, bottom: 28, containLabel: true },
                    legend: legend.option,
                    tooltip: {
                        trigger: "axis",
                        axisPointer: { type: "shadow" },
                        formatter: ([{ dataIndex }]) =>
                            kit.tip(
                                "2^" + powers[dataIndex] + " to 2^" + (powers[dataIndex] + 1),
                                ...group.map(({ name }, index) => kit.shown(name) + ": " + kit.count(at[index].get(powers[dataIndex]) || 0)),
                            ),
                    },
                    xAxis: {
                        type: "category",
                        data: powers.map((power) => "2^" + power),
                        axisLabel: { hideOverlap: true },
                        name: kit.shown(along),
                        nameLocation: "middle",
                        nameGap: 26,
                    },
                    yAxis: { ...kit.plots.log([1, ...all], kit.count, { room: 220 }), min: BELOW_ONE, startValue: BELOW_ONE },
                    series: group.map(({ name }, index) => ({
                        name: kit.shown(name),
                        type: "bar",
                        barGap: "0%",
                        barCategoryGap: "20%",
                        color: kit.plots.marks(theme, index).color,
                        // A logarithmic axis has no place for zero.
                        data: powers.map((power) => at[index].get(power) || "-"),
                    })),
                };
            },
        );
    };
}
