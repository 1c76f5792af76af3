"use strict";
// Where the time of the threads went: one bar for all, and one for each of those that waited longest.
{
    /** Threads that have a bar. */
    const BARS = 16;
    /** A part smaller than this has no room for its figure. */
    const LABELLED = 0.055;

    locktoll.profile.time = function (parent, of, kit) {
        const { doc, page } = of;
        const spent = page.spent;
        if (!spent) {
            return;
        }
        kit.heading(
            parent,
            "Where the time of " + kit.counted(doc.threads, "thread", "threads") + " went",
            kit.duration(spent.total_ns) + " added up",
        );
        legend(parent, spent, kit);
        const bars = [{ name: "all threads", total: spent.total_ns, parts: new Map(spent.causes.map((it) => [it.cause, it.ns])) }];
        for (const thread of doc.per_thread.slice(0, doc.per_thread.length > 1 ? BARS : 0)) {
            bars.push({ name: called(thread, doc, kit), total: thread.duration_ns, parts: parts(thread) });
        }
        const known = spent.causes.map((it) => it.cause);
        const others = bars.some((bar) => bar.parts.get("unknown") > 0) && !known.includes("unknown");
        const causes = others ? [...spent.causes, { cause: "unknown", words: "not known" }] : spent.causes;
        const hidden = doc.per_thread.length + (page.more_threads || 0) - bars.length + 1;
        kit.chart(
            parent,
            {
                label: "Share of time by cause, for all threads together and for those that waited longest for locks",
                height: 34 + bars.length * 26,
                caption:
                    "Each thread's life by what it was spent on; spinning counts as running." +
                    (hidden > 0 && bars.length > 1 ? " " + kit.counted(hidden, "more thread is", "more threads are") + " in the table below." : ""),
            },
            (theme, width) => option(theme, width, bars, causes, kit),
        );
    };

    function option(theme, width, bars, causes, kit) {
        const names = kit.nameRoom(bars.map((bar) => bar.name.slice(0, 28)), width, 0.3);
        return {
            grid: { left: names, right: 24, top: 4, bottom: 24, containLabel: false },
            tooltip: {
                trigger: "axis",
                axisPointer: { type: "shadow" },
                formatter: (points) => {
                    const bar = bars[points[0].dataIndex];
                    const lines = causes.map(({ cause, words }) => {
                        const ns = bar.parts.get(cause);
                        return words + ": " + kit.share(ns, bar.total) + ", " + kit.duration(ns);
                    });
                    return kit.tip(bar.name + ": " + kit.duration(bar.total), ...lines);
                },
            },
            xAxis: { type: "value", min: 0, max: 100, interval: 25, axisLabel: { formatter: "{value} %" } },
            yAxis: {
                type: "category",
                inverse: true,
                data: bars.map((bar, at) => (at === 0 ? "{all|" + bar.name + "}" : kit.cut(bar.name, 28))),
                axisTick: { show: false },
                axisLabel: {
                    width: names - 10,
                    overflow: "truncate",
                    rich: { all: { fontWeight: "bold", color: theme.text } },
                },
            },
            series: causes.map(({ cause, words }) => ({
                name: words,
                type: "bar",
                stack: "time",
                barWidth: 17,
                itemStyle: { color: theme.causes[cause], borderColor: theme.surface, borderWidth: 1 },
                label: {
                    show: width > 600,
                    formatter: ({ value }) => (value / 100 >= LABELLED ? value.toFixed(0) + " %" : ""),
                    color: theme.onCauses[cause],
                    textBorderColor: "transparent",
                    fontSize: 11,
                },
                data: bars.map((bar) => ((bar.parts.get(cause) || 0) / Math.max(1, bar.total)) * 100),
            })),
        };
    }

    /** What the colours stand for, with the figures of all threads, in the order of the bars. */
    function legend(parent, spent, kit) {
        const list = kit.element.into(parent, "ul", { class: "causes" });
        spent.causes.forEach((it) => locktoll.profile.cause(list, it, spent.total_ns));
        if (spent.unknown_threads !== null) {
            const threads = kit.counted(spent.unknown_threads, "thread", "threads");
            kit.note(parent, "not known: " + threads + " ended before the kernel could be asked; of these, only the waits are known");
        }
    }

    /** By its name, which many programs give to all of their threads. */
    function called(thread, doc, kit) {
        const name = kit.shown(thread.name) || "(no name)";
        const namesakes = doc.per_thread.slice(0, BARS).filter((it) => it.name === thread.name);
        return namesakes.length > 1 ? kit.cut(name, 20) + " " + thread.tid : name;
    }

    /** Of a thread, by cause. What was waited for locks on a processor, or in line for one, is there already. */
    function parts(thread) {
        const all = new Map();
        let left = thread.duration_ns;
        const take = (cause, ns) => {
            const part = Math.min(ns, left);
            all.set(cause, part);
            left -= part;
        };
        const known = thread.cpu_ns !== null && thread.cpu_wait_ns !== null;
        if (known) {
            take("running", thread.cpu_ns);
            take("cpu", thread.cpu_wait_ns);
        }
        take("signals", thread.signal_wait_ns);
        take("locks", thread.lock_wait_ns);
        // Of a running program it is not known which thread waited for what.
        all.set(known && thread.lock_wait_ns !== null ? "other" : "unknown", left);
        return all;
    }
}
