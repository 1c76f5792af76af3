"use strict";
// The cost of moving a cache line between CPUs, for every pair; and the cost of cold caches after a switch.
{
    const kit = locktoll.kit;
    kit.machine = kit.machine || {};

    /** CPUs up to which cells carry their figures. */
    const FIGURES = 16;
    /** CPUs up to which cells are elements of the page; beyond, the chart is one picture. */
    const ELEMENTS = 48;

    kit.machine.transfers = function (section, doc) {
        const { transfers } = doc;
        if (!transfers || transfers.cpus.length < 2) {
            kit.heading(section, "Moving a cache line from CPU to CPU", null, "Cache lines");
            kit.note(section, "Not measured: this needs two CPUs.");
            return;
        }
        const { cpus, one_way_ns: matrix } = transfers;
        const known = [];
        const refused = [];
        matrix.forEach((row, from) =>
            row.forEach((estimate, to) => {
                if (estimate && estimate.median > 0) {
                    known.push([to, from, estimate.median, Math.log(estimate.median)]);
                } else if (from !== to) {
                    refused.push([to, from]);
                }
            }),
        );
        const sorted = known.map(([, , ns]) => ns).sort((a, b) => a - b);
        kit.heading(section, "Moving a cache line from CPU to CPU", null, "Cache lines");
        if (cpus.length === 2) {
            const [there, back] = [matrix[0][1], matrix[1][0]];
            const way = (from, to, it) => "CPU " + cpus[from] + " to CPU " + cpus[to] + ": " + (it ? kit.interval(it, kit.price) : "refused");
            kit.note(section, "One way: " + way(0, 1, there) + "; " + way(1, 0, back) + ".");
            return;
        }
        const spread = sorted.length > 0 ? "One way: from " + kit.price(sorted[0]) + " to " + kit.price(sorted[sorted.length - 1]) + ", median " + kit.price(sorted[Math.floor((sorted.length - 1) / 2)]) + "." : "";
        kit.chart(
            section,
            {
                title: "One way from the CPU of a row to the CPU of a column",
                label: "Time to move a cache line between each pair of CPUs",
                key: spread + (refused.length > 0 ? " \u2715 " + kit.counted(refused.length, "pair was", "pairs were") + " refused." : ""),
                height: (width) => Math.round(Math.min(width, Math.max(260, Math.min(640, cpus.length * 40 + 110)))),
                renderer: cpus.length > ELEMENTS ? "canvas" : "svg",
            },
            (theme, width) => matrixOption(theme, width, { cpus, matrix, known, refused, sorted }),
        );
    };

    function matrixOption(theme, width, { cpus, matrix, known, refused, sorted }) {
        const names = cpus.map((cpu) => "CPU " + cpu);
        const short = cpus.map(String);
        const figures = cpus.length <= FIGURES && width / cpus.length > 34;
        const [least, most] = [sorted[0] || 1, sorted[sorted.length - 1] || 2];
        const middle = Math.log(least * most) / 2;
        // Pairs that hardly differ must not look as if they did.
        const half = Math.max(Math.log(most / least), Math.log(2)) / 2;
        const [low, high] = [middle - half, middle + half];
        const axis = (name) => ({
            type: "category",
            data: short,
            axisTick: { show: false },
            axisLine: { show: false },
            splitLine: { show: false },
            axisLabel: { hideOverlap: true },
            name,
            nameLocation: "middle",
        });
        return {
            grid: { left: 30, right: 10, top: 44, bottom: 28, containLabel: true },
            tooltip: {
                trigger: "item",
                formatter: ({ data }) => {
                    const [to, from] = Array.isArray(data) ? data : data.value;
                    const estimate = matrix[from][to];
                    return kit.tip(names[from] + " to " + names[to], estimate ? kit.interval(estimate, kit.price) : "refused");
                },
            },
            visualMap: {
                type: "continuous",
                dimension: 3,
                seriesIndex: 0,
                min: low,
                max: high,
                orient: "horizontal",
                left: "center",
                top: 0,
                itemHeight: 140,
                itemWidth: 12,
                text: [kit.price(Math.exp(high)), kit.price(Math.exp(low))],
                formatter: (value) => kit.price(Math.exp(value)),
                inRange: { color: theme.heat.slice(theme.dark ? 1 : 0) },
            },
            xAxis: { ...axis("to CPU"), nameGap: 26 },
            yAxis: { ...axis("from CPU"), inverse: true, nameGap: 30 },
            series: [
                {
                    type: "heatmap",
                    progressive: 0,
                    itemStyle: cpus.length > ELEMENTS ? {} : { borderColor: theme.surface, borderWidth: 1 },
                    label: {
                        show: figures,
                        fontSize: 11,
                        formatter: ({ value }) => (value[2] < 99.5 ? value[2].toFixed(value[2] < 9.95 ? 1 : 0) : value[2].toFixed(0)),
                    },
                    data: figures
                        ? known.map((value) => ({ value, label: { color: (value[3] > middle) !== theme.dark ? "#ffffff" : "#16202c" } }))
                        : known,
                },
                {
                    type: "scatter",
                    symbol: kit.plots.CROSS,
                    symbolSize: Math.max(3, Math.min(12, 300 / cpus.length)),
                    itemStyle: { color: theme.faint },
                    data: refused,
                },
            ],
        };
    }

    const KINDS = [
        ["shared", "same array: evicted by the switch itself"],
        ["own", "own arrays: evicted by the other thread"],
        ["own-process", "own processes: address translations evicted, too"],
        ["own-huge-pages", "own arrays on huge pages: hardly any TLB misses"],
    ];

    kit.machine.refill = function (section, doc) {
        const refill = doc.refill || [];
        kit.heading(section, "Cold caches after a switch", null, "Cold caches");
        if (refill.length === 0) {
            kit.note(section, "Not measured.");
            return;
        }
        const lines = KINDS.map(([kind, title], index) => ({ title, index, points: refill.filter((it) => it.kind === kind).sort((a, b) => a.bytes - b.bytes) })).filter(
            ({ points }) => points.length > 0,
        );
        const figures = lines.flatMap(({ points }) => measured(points).flatMap(({ added_ns }) => [added_ns.median, added_ns.high]));
        const none = refill.filter(({ added_ns }) => added_ns && added_ns.median <= 0);
        const reasons = [...new Set(refill.filter(({ added_ns }) => !added_ns).map(({ refused }) => kit.shown(refused || "not measured")))];
        const topology = (doc.machine && doc.machine.topology) || {};
        const caches = Object.entries(topology.caches || {}).filter(([level, bytes]) => level !== "line_bytes" && bytes);
        const sizes = [...new Set(refill.map(({ bytes }) => bytes))].sort((a, b) => a - b);
        kit.chart(
            section,
            {
                title: "Time that a switch adds to one pass through the working set",
                label: "Time that a switch adds to one pass through a working set, by its size",
                key:
                    (none.length > 0 ? kit.counted(none.length, "point", "points") + " cannot be distinguished from zero (hollow, at the bottom)." : "") +
                    (reasons.length > 0 ? " \u2715 Not drawn: " + reasons.join("; ") + "." : ""),
                height: 400,
            },
            (theme, width) => refillOption(theme, width, { lines, figures, sizes, caches }),
        );
    };

    const measured = (points) => points.filter(({ added_ns }) => added_ns && added_ns.median > 0);

    function refillOption(theme, width, { lines, figures, sizes, caches }) {
        const axis = kit.plots.log(figures, kit.duration, { room: 300 });
        return {
            grid: { left: 8, right: 20, top: 26 + lines.length * 20, bottom: 28, containLabel: true },
            legend: { orient: "vertical", top: 0, left: 0, itemWidth: 26, itemGap: 5, itemHeight: 12 },
            tooltip: {
                trigger: "item",
                formatter: ({ seriesIndex, data }) => {
                    const line = lines[seriesIndex];
                    const point = line.points.find(({ bytes }) => bytes === (data.value || data)[0]);
                    return kit.tip(line.title, kit.bytes(point.bytes) + ": " + kit.interval(point.added_ns, kit.duration));
                },
            },
            xAxis: {
                ...kit.plots.log(sizes, kit.bytes, { ticks: sizes.filter((_, at) => at % Math.ceil(sizes.length / Math.max(3, Math.floor(width / 90))) === 0) }),
                name: "working set",
                nameLocation: "middle",
                nameGap: 26,
            },
            yAxis: axis,
            series: [
                ...lines.map(({ title, index, points }) => {
                    const marks = kit.plots.marks(theme, index);
                    return {
                        name: title,
                        type: "line",
                        symbol: marks.symbol,
                        symbolSize: 7,
                        color: marks.color,
                        lineStyle: { width: 2, type: ["solid", "dashed", "dotted", "solid"][index] },
                        data: points
                            .filter(({ added_ns }) => added_ns)
                            .map(({ bytes, added_ns }) =>
                                added_ns.median > 0
                                    ? [bytes, added_ns.median]
                                    : { value: [bytes, axis.min], symbol: "emptyCircle" },
                            ),
                        markLine:
                            index === lines[0].index
                                ? {
                                      silent: true,
                                      symbol: "none",
                                      lineStyle: { color: theme.faint, type: "dotted" },
                                      label: { color: theme.faint, formatter: ({ name }) => name, position: "insideEndTop" },
                                      data: caches.map(([level, bytes]) => ({ xAxis: bytes, name: level.slice(0, 2).toUpperCase() + (level.startsWith("l1") ? "d" : "") })),
                                  }
                                : undefined,
                    };
                }),
                ...lines.map(({ index, points }) => {
                    const bounded = measured(points).filter(({ added_ns }) => added_ns.low > 0);
                    return kit.plots.band(bounded.map(({ bytes, added_ns }) => [bytes, added_ns.low, added_ns.high]), {
                        color: theme.series[index % theme.series.length],
                        extra: { name: lines.find((it) => it.index === index).title },
                    });
                }),
            ],
        };
    }
}
