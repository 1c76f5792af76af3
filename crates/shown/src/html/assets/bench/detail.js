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
            kit.bench.waits(both, waited, index);
        }
        fairness(both, rows, index);
    };

    /** The prices of one setting alone: the page of a result that is a part of another has no more. */
    kit.bench.compact = function (parent, doc) {
        const locks = [...new Set(doc.cells.map((cell) => cell.lock))];
        const cost = (cell) => kit.median(cell.ns_per_op) ?? Infinity;
        prices(parent, doc, [...doc.cells].sort((a, b) => cost(a) - cost(b)), (cell) => locks.indexOf(cell.lock));
    };

    /** A lock whose threads sleep this often per operation pays for a wake-up each time. */
    const SLEEPS = 0.5;

    /** Why the expensive locks are expensive. */
    function sleepers(rows) {
        const found = rows.filter((cell) => cell.threads > 1 && kit.median(cell.voluntary_switches_per_op) >= SLEEPS && kit.median(cell.ns_per_op) > 5 * kit.median(rows[0].ns_per_op));
        if (found.length === 0) {
            return null;
        }
        const each = found.map((cell) => name(cell) + " (" + kit.median(cell.voluntary_switches_per_op).toFixed(1) + ")");
        return "Sleeps per operation: " + each.join(", ") + ". If threads sleep at nearly every operation, each hand-over has to wake one.";
    }

    const name = (cell) => kit.shown(cell.lock);

    function prices(parent, doc, rows, index) {
        const theme = kit.theme();
        const same = kit.bench.pairs(doc, rows, kit.bench.figures.price, () => 0)[0];
        kit.plots.dots(parent, {
            title: "Time per operation" + (rows.length > 1 && kit.median(rows[0].ns_per_op) !== null ? ": " + name(rows[0]) + " took least" : ""),
            label: "Time per operation of each lock",
            caption:
                "Wall time divided by the operations of all threads, with its 95 % interval." +
                (same ? " Grey: " + kit.shown(same.lock) + " measured twice; smaller differences mean nothing." : ""),
            key: sleepers(rows),
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
            ["off", rows.every(({ threads }) => threads === 1) ? "not running: the CPU was taken" : "not running: asleep, or waiting for a CPU", "unknown", -Math.PI / 4],
        ];
        kit.chart(
            parent,
            {
                title: "Where the threads' time goes",
                label: "Where the threads' time goes, lock by lock",
                caption:
                    "The threads' time per operation, divided by cause; the figure at the right is the sum." +
                    (rows.every(({ threads }) => threads === 1)
                        ? " A single thread waits for no other thread: it was off the CPU while other programs, interrupts and the hypervisor ran, and while it was started and ended."
                        : ""),
                height: (width) => (width < 560 ? 76 : 54) + rows.length * kit.plots.line(width),
            },
            (theme, width) => ({
                grid: { left: kit.plots.names(rows.map(name), width).left, right: 70, top: width < 660 ? 50 : 28, bottom: kit.plots.BELOW },
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
                        barWidth: kit.plots.bar(width, 16),
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

    function fairness(parent, rows, index) {
        const points = rows.filter((cell) => cell.threads > 1 && cell.fairness && cell.fairness.jain && kit.median(cell.ops_per_second) > 0);
        if (points.length === 0) {
            return;
        }
        kit.chart(
            parent,
            {
                title: "Fairness against throughput: the best are at the top right",
                label: "Fairness against throughput",
                caption: "Fairness is Jain's index: 1 if all threads did the same number of operations. The larger the mark, the longer the lock's longest wait.",
                height: 330,
            },
            (theme, width) => {
                const longest = (cell) => Math.log10((cell.acquire_ns && cell.acquire_ns.max) || 1);
                const [low, high] = [Math.min(...points.map(longest)), Math.max(...points.map(longest))];
                const fair = points.map((cell) => cell.fairness.jain.median);
                const legend = kit.plots.legend(theme, points.map((cell) => ({ name: name(cell), index: index(cell) })), width);
                return {
                    legend: legend.option,
                    grid: { left: 26, right: 30, top: legend.height + 14, bottom: 26, containLabel: true },
                    tooltip: {
                        trigger: "item",
                        formatter: ({ seriesIndex }) => {
                            const cell = points[seriesIndex];
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
                    yAxis: { type: "value", name: "Jain's index", nameLocation: "middle", nameGap: 40, min: Math.max(0, Math.floor((Math.min(...fair) - 0.02) * 10) / 10), max: 1, splitNumber: 4, axisLabel: { formatter: (it) => it.toFixed(2) } },
                    series: points.map((cell) => {
                        const marks = kit.plots.marks(theme, index(cell));
                        return {
                            name: name(cell),
                            type: "scatter",
                            clip: false,
                            symbol: kit.bench.remark(cell) ? kit.plots.CROSS : marks.symbol,
                            symbolSize: 9 + (high > low ? ((longest(cell) - low) / (high - low)) * 17 : 6),
                            itemStyle: { color: marks.color, opacity: 0.85 },
                            data: [[cell.ops_per_second.median, cell.fairness.jain.median]],
                        };
                    }),
                };
            },
        );
    }
}
