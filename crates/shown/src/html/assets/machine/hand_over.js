"use strict";
// The parts of a contended hand-over, on one CPU and across two; and other ways to hand over, predicted from the parts.
{
    const kit = locktoll.kit;
    kit.machine = kit.machine || {};

    kit.machine.handOver = function (section, doc) {
        const decomposition = doc.decomposition || {};
        const ways = [
            ["on one CPU", decomposition.same_cpu],
            ["across CPUs", decomposition.cross_cpu],
        ].filter(([, handOver]) => handOver);
        kit.heading(section, "The parts of a contended hand-over", "From the release by one thread until another runs with the lock.", "Hand-over");
        if (decomposition.refused) {
            kit.problem(section, "\u2715 Refused: " + kit.shown(decomposition.refused));
        }
        if (ways.length === 0) {
            return;
        }
        const { whole, subtracted_from: other } = decomposition;
        const method =
            "The whole is " + (whole ? "a hand-over by " + kit.shown(whole) : "a futex hand-over") + ", measured by itself. " +
            "A part found by subtraction is the time that a hand-over by " + kit.shown(other || "eventfd") + " takes beyond the other parts. " +
            "The residual shows how well the parts add up for " + (whole ? kit.shown(whole) : "the futex") + "; it cannot show how the rest divides between switch and scheduler.";
        const sentences = ways.map(([where, handOver]) => sentence(where, (doc.scheduling || {}).policy, handOver));
        stack(section, ways, [...sentences, method].join(" "));
        const arms = ways.flatMap(([where, handOver]) => handOver.arms.map((arm) => ({ where, arm })));
        if (arms.length > 0) {
            check(section, arms, other || "an eventfd");
        }
        for (const [where, handOver] of ways) {
            for (const reason of handOver.arms_refused || []) {
                kit.note(section, "Not predicted " + where + ": " + kit.shown(reason));
            }
        }
    };

    const signed = (ns) => (ns === null ? kit.dash : (ns < 0 ? "\u2212" : "+") + kit.price(Math.abs(ns)));
    const median = kit.median;

    const how = (found) => (found === "measured" ? "measured" : "by subtraction");

    function sentence(where, policy, { total_ns, parts, residual_ns }) {
        const shares = parts.map(({ title, ns, found }) => kit.price(median(ns)) + " " + kit.shown(title) + " (" + how(found) + ")");
        return (
            "A contended hand-over " + where + (policy ? ", under " + kit.shown(policy) + "," : "") + " costs " + kit.interval(total_ns, kit.price) + ": " + shares.join(", ") +
            "; residual " + signed(median(residual_ns)) + " (" + kit.percent(Math.abs(median(residual_ns)) / median(total_ns)) + ")."
        );
    }

    function stack(section, ways, words) {
        // A part is the same in both, so it keeps its colour.
        const names = [...new Set(ways.flatMap(([, { parts }]) => parts.map(({ name }) => name)))];
        const title = (name) => ways.flatMap(([, { parts }]) => parts).find((part) => part.name === name).title;
        const of = ([, { parts }], name) => parts.find((part) => part.name === name);
        kit.chart(
            section,
            {
                title: ways.map(([where, { total_ns }]) => kit.price(median(total_ns)) + " " + where).join(", ") + ": the parts, and the whole",
                label: "A hand-over and its parts",
                caption: words,
                key: "Bars: the parts, measured or by subtraction. \u25c6 The whole, measured by itself, with its interval. The gap between them is the residual.",
                height: (width) => 66 + ways.length * 58 + (width < 700 ? 44 : 0),
            },
            (theme, width) => ({
                grid: { left: kit.plots.names(ways.map(([where]) => where), width).left, right: 76, top: width < 700 ? 78 : 34, bottom: kit.plots.BELOW },
                legend: { top: 0, left: 0, itemWidth: 14, itemGap: 14 },
                tooltip: {
                    trigger: "axis",
                    axisPointer: { type: "shadow" },
                    formatter: ([{ dataIndex }]) => {
                        const [where, { total_ns, parts, residual_ns }] = ways[dataIndex];
                        return kit.tip(
                            "Hand-over " + where + ": " + kit.interval(total_ns, kit.price),
                            ...parts.map(({ title, ns, formula, found }) => kit.shown(title) + ": " + kit.interval(ns, kit.price) + ", " + how(found) + " \u2013 " + kit.shown(formula)),
                            "residual: " + kit.interval(residual_ns, kit.price),
                        );
                    },
                },
                xAxis: { type: "value", min: 0, splitNumber: width < 600 ? 3 : 6, axisLabel: { formatter: (ns) => kit.duration(ns), hideOverlap: true } },
                yAxis: kit.plots.names(ways.map(([where]) => where), width).axis,
                series: [
                    ...names.map((name, at) => ({
                        name: kit.shown(title(name)),
                        type: "bar",
                        stack: "parts",
                        barWidth: kit.plots.bar(width, 30),
                        itemStyle: {
                            color: theme.series[at % theme.series.length],
                            borderColor: theme.surface,
                            borderWidth: 1,
                            decal: at % 2 === 1 ? kit.plots.hatch((Math.PI / 4) * (at % 4 === 1 ? 1 : -1), theme) : undefined,
                        },
                        data: ways.map((way) => (of(way, name) ? median(of(way, name).ns) : null)),
                    })),
                    kit.plots.whiskers(
                        ways.map(([, { total_ns }], at) => [total_ns.median, at, total_ns.low, total_ns.high]),
                        theme.text,
                        { across: true, width: 2 },
                    ),
                    {
                        name: "measured as a whole",
                        type: "scatter",
                        symbol: "diamond",
                        symbolSize: 15,
                        z: 5,
                        itemStyle: { color: theme.text, borderColor: theme.surface, borderWidth: 1.5 },
                        data: ways.map(([, { total_ns }], at) => [total_ns.median, at]),
                    },
                    kit.plots.behind(
                        ways.map(([, { total_ns }], at) => [total_ns.high, at]),
                        (at) => kit.price(median(ways[at][1].total_ns)),
                        { color: theme.text, fontWeight: "bold" },
                    ),
                ],
            }),
        );
    }

    const named = ({ where, arm }) => kit.shown(arm.name) + ", " + where;

    /** The independent arms: predicted by the parts, measured as a whole. */
    function check(section, arms, other) {
        kit.chart(
            section,
            {
                title: "Other ways to hand over: predicted from the parts, and measured",
                label: "Other ways to hand over: predicted from the parts, and measured",
                caption: "A test of the parts. Predicted: the system calls of each way, measured alone, and the time that " + kit.shown(other) + " hand-over takes beyond its own system calls. Bars: predicted. \u25c6 Measured, with its interval. At the right: the residual.",
                height: (width) => 60 + arms.length * Math.max(28, kit.plots.line(width)),
            },
            (theme, width) => ({
                grid: { left: kit.plots.names(arms.map(named), width).left, right: 76, top: 30, bottom: kit.plots.BELOW },
                legend: { top: 0, left: 0, itemWidth: 14 },
                tooltip: {
                    trigger: "axis",
                    axisPointer: { type: "shadow" },
                    formatter: ([{ dataIndex }]) => {
                        const { where, arm } = arms[dataIndex];
                        return kit.tip(
                            kit.shown(arm.name) + ", " + where,
                            "predicted: " + kit.interval(arm.predicted_ns, kit.price),
                            "measured: " + kit.interval(arm.measured_ns, kit.price),
                            "residual: " + kit.interval(arm.residual_ns, kit.price),
                        );
                    },
                },
                xAxis: { type: "value", min: 0, splitNumber: width < 600 ? 3 : 6, axisLabel: { formatter: (ns) => kit.duration(ns), hideOverlap: true } },
                yAxis: kit.plots.names(arms.map(named), width).axis,
                series: [
                    {
                        name: "predicted",
                        type: "bar",
                        barWidth: kit.plots.bar(width, 14),
                        itemStyle: { color: theme.series[5], opacity: 0.75 },
                        data: arms.map(({ arm }) => median(arm.predicted_ns)),
                    },
                    kit.plots.whiskers(
                        arms.map(({ arm: { measured_ns } }, at) => [measured_ns.median, at, measured_ns.low, measured_ns.high]),
                        theme.text,
                        { across: true, width: 1.6 },
                    ),
                    {
                        name: "measured",
                        type: "scatter",
                        symbol: "diamond",
                        symbolSize: 11,
                        z: 5,
                        itemStyle: { color: theme.text },
                        data: arms.map(({ arm }, at) => [median(arm.measured_ns), at]),
                    },
                    kit.plots.behind(
                        arms.map(({ arm }, at) => [Math.max(arm.measured_ns.high, median(arm.predicted_ns)), at]),
                        (at) => signed(median(arms[at].arm.residual_ns)),
                        { color: theme.text },
                    ),
                ],
            }),
        );
    }
}
