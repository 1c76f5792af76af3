"use strict";
// Waiting by the place that waited and the place where the holder had acquired the lock.
{
    /** Places on each side of the map; the others are one. */
    const PLACES = 10;
    const OTHERS = "other places";
    const UNSEEN = "the holder was not seen";
    const HANDED_OVER = "no thread: handed over";

    locktoll.profile.blame = function (parent, row, of, kit) {
        const { lock, beside } = row;
        const noHolder = lock.futex ? HANDED_OVER : UNSEEN;
        const pairs = merged(lock.blame.map((pair) => ({
            waiter: pair.waiter.length === 0 && lock.futex ? "not known" : of.shortSite(pair.waiter),
            holder: pair.holder !== null ? of.shortSite(pair.holder) : pair.holder_thread ? of.thread(pair.holder_thread) : noHolder,
            ns: pair.wait_ns,
            count: pair.count,
        })));
        const total = lock.wait_ns.total + lock.still_waiting_ns;
        kit.subheading(parent, "Who waited for whom").dataset.part = "blame";
        const waiters = largest(pairs, "waiter");
        const holders = largest(pairs, "holder");
        const isMap = waiters.length > 1 || holders.length > 1;
        if (isMap) {
            map(parent, of.name(row), { pairs, waiters, holders, total }, kit);
            kit.fold(parent, "The same as a table", (body) => table(body, pairs, total, kit));
        } else {
            table(parent, pairs, total, kit);
        }
        if (beside.more_blame > 0) {
            kit.note(parent, "\u2026 and " + kit.counted(beside.more_blame, "more pair", "more pairs"));
        }
    };

    /** Pairs that read the same are one. */
    function merged(pairs) {
        const byText = new Map();
        for (const pair of pairs) {
            const key = pair.waiter + "\0" + pair.holder;
            const before = byText.get(key);
            byText.set(key, before ? { ...pair, ns: before.ns + pair.ns, count: before.count + pair.count } : pair);
        }
        return [...byText.values()];
    }

    /** The places of one side, by their waiting. */
    function largest(pairs, side) {
        const sums = new Map();
        for (const pair of pairs) {
            sums.set(pair[side], (sums.get(pair[side]) || 0) + pair.ns);
        }
        const places = [...sums].sort((a, b) => b[1] - a[1]).map(([place]) => place);
        return places.length > PLACES ? [...places.slice(0, PLACES - 1), OTHERS] : places;
    }

    /** The cells of the map, and the chart of them. */
    function map(parent, name, { pairs, waiters, holders, total }, kit) {
        const cells = new Map();
        const at = (places, place) => (places.includes(place) ? places.indexOf(place) : places.length - 1);
        for (const pair of pairs) {
            const key = at(holders, pair.holder) + " " + at(waiters, pair.waiter);
            const cell = cells.get(key) || { ns: 0, count: 0 };
            cells.set(key, { ns: cell.ns + pair.ns, count: cell.count + pair.count });
        }
        const data = [...cells].map(([key, cell]) => ({ value: [...key.split(" ").map(Number), cell.ns], cell }));
        const most = Math.max(...data.map(({ cell }) => cell.ns), 1);
        kit.chart(
            parent,
            {
                title: kit.share(data.find(({ cell }) => cell.ns === most).cell.ns, total) + " of the waiting was at " + waiters[data.find(({ cell }) => cell.ns === most).value[1]],
                label: "Waiting for " + name + " by the place that waited and the place that held it",
                height: 96 + waiters.length * 38,
                caption: "Rows: places that waited. Columns: places where the holder had acquired the lock. Figures: shares of the waiting.",
            },
            (theme, width) => option(theme, width, { data, most, waiters, holders, total }, kit),
        );
    }

    function option(theme, width, { data, most, waiters, holders, total }, kit) {
        const names = kit.nameRoom(waiters, width, 0.3);
        const cell = (width - names - 12) / holders.length;
        // The ramp runs from the surface's lightness to its opposite.
        const onCell = (ns) => (ns / most > 0.5 ? (theme.dark ? "#1b0a00" : "#ffffff") : theme.text);
        return {
            grid: { left: names, right: 12, top: 52, bottom: 8, containLabel: false },
            tooltip: {
                formatter: ({ data: { value, cell } }) =>
                    kit.tip(
                        kit.share(cell.ns, total) + ", " + kit.duration(cell.ns),
                        waiters[value[1]],
                        "waited for " + holders[value[0]],
                        kit.counted(cell.count, "wait", "waits") + " of which it had the largest share",
                    ),
            },
            xAxis: {
                type: "category",
                position: "top",
                data: holders,
                axisTick: { show: false },
                axisLabel: { interval: 0, width: Math.max(24, cell - 10), overflow: "truncate", color: theme.text },
                name: "held by",
                nameLocation: "middle",
                nameGap: 28,
                splitArea: { show: false },
            },
            yAxis: {
                type: "category",
                inverse: true,
                data: waiters,
                axisTick: { show: false },
                axisLabel: { width: names - 10, overflow: "truncate", color: theme.text },
            },
            visualMap: { show: false, min: 0, max: most, dimension: 2, inRange: { color: theme.heat } },
            series: [
                {
                    type: "heatmap",
                    data: data.map((it) => ({ ...it, label: { color: onCell(it.cell.ns) } })),
                    itemStyle: { borderColor: theme.surface, borderWidth: 2, borderRadius: 3 },
                    label: {
                        show: cell > 48,
                        fontSize: 11,
                        formatter: ({ data: { cell } }) => kit.share(cell.ns, total),
                        textBorderColor: "transparent",
                    },
                },
            ],
        };
    }

    function table(into, pairs, total, kit) {
        kit.table(into, {
            label: "Pairs",
            columns: [
                { title: "waited at", left: true, value: (pair) => pair.waiter },
                {
                    title: "held by",
                    left: true,
                    value: (pair) => pair.holder,
                    text: (pair) => (pair.holder === pair.waiter ? "another thread at the same place" : pair.holder),
                },
                ...locktoll.profile.shares(total, "ns"),
            ],
            rows: pairs,
            limit: 20,
        });
    }
}
