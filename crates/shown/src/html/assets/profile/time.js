"use strict";
// The threads' time by cause: one bar for all, and one for each of those that waited longest.
{
    /** Threads that have a bar. */
    const BARS = 16;
    /** Causes that single threads can have in addition to those of all threads. */
    const OF_A_THREAD = [
        { cause: "either", words: "of a single thread: waiting for locks or events, together", ns: null },
        { cause: "unknown", words: "of a single thread: not known", ns: null },
    ];
    /** Threads that live shorter than this on average may have met no tick of the kernel, nanoseconds. */
    const SHORT = 20e6;
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
            "Time",
        );
        if (spent.total_ns < SHORT * Math.max(1, doc.threads)) {
            kit.note(parent, "The kernel accounts for CPU time at its ticks, which are up to 10 ms apart. For threads with lives as short as these, the shares say little.");
        }
        const bars = [{ name: "all threads", total: spent.total_ns, parts: new Map(spent.causes.map((it) => [it.cause, it.ns])) }];
        for (const thread of doc.per_thread.slice(0, doc.per_thread.length > 1 ? BARS : 0)) {
            bars.push({ name: called(thread, doc, kit), total: thread.duration_ns, parts: locktoll.profile.parts(thread, doc) });
        }
        const named = spent.causes.map((it) => it.cause);
        const further = OF_A_THREAD.filter(({ cause }) => !named.includes(cause) && bars.some((bar) => bar.parts.get(cause) > 0));
        // Next to its possible parts.
        const place = (cause) => (cause === "either" ? 2 : 9);
        const causes = [...spent.causes, ...further].map((it, at) => [named.includes(it.cause) ? at : place(it.cause), it]).sort(([a], [b]) => a - b).map(([, it]) => it);
        legend(parent, spent, causes, kit);
        const hidden = doc.per_thread.length + (page.more_threads || 0) - bars.length + 1;
        kit.chart(
            parent,
            {
                title: title(spent, bars, kit),
                label: "Share of time by cause, for all threads together and for those that waited longest for locks",
                height: (width) => 34 + bars.length * Math.max(26, kit.plots.line(width)),
                caption:
                    "Each thread's lifetime, divided by cause. Waiting for a lock is all the time from asking for it to having it." +
                    (hidden > 0 && bars.length > 1 ? " " + kit.counted(hidden, "more thread is", "more threads are") + " in the table below." : ""),
            },
            (theme, width) => option(theme, width, bars, causes, kit),
        );
    };

    /** The cause that took most of the time. */
    function title(spent, bars, kit) {
        const [most] = [...spent.causes].sort((a, b) => (b.ns || 0) - (a.ns || 0));
        const whose = bars.length > 1 ? "All threads, and each of those that waited longest" : "The thread's lifetime";
        return whose + ": " + kit.share(most.ns, spent.total_ns) + " " + most.words;
    }

    function option(theme, width, bars, causes, kit) {
        const names = kit.plots.names(bars.map((bar) => kit.cut(bar.name, 28)), width);
        return {
            grid: { left: names.left, right: 24, top: 4, bottom: 24, containLabel: false },
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
            yAxis: names.axis,
            series: causes.map(({ cause, words }) => ({
                name: words,
                type: "bar",
                stack: "time",
                barWidth: kit.plots.bar(width),
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

    /** The meaning of the colours, with the figures of all threads, in the order of the bars. */
    function legend(parent, spent, causes, kit) {
        const list = kit.element.into(parent, "ul", { class: "causes" });
        causes.forEach((it) => locktoll.profile.cause(list, it, spent.total_ns));
        if (spent.unknown_threads !== null) {
            const threads = kit.counted(spent.unknown_threads, "thread", "threads");
            kit.note(parent, "Not known: " + threads + " ended before locktoll could ask the kernel about them; only their waits are known.");
        }
    }

    /** A thread's name; many programs give all of their threads the same, so an id is added then. */
    function called(thread, doc, kit) {
        const name = kit.shown(thread.name) || "(no name)";
        const namesakes = doc.per_thread.slice(0, BARS).filter((it) => it.name === thread.name);
        return namesakes.length > 1 ? kit.cut(name, 20) + " " + thread.tid : name;
    }

    /** The parts of the waits for locks that were spent spinning, and waiting for a CPU. */
    function awake(doc) {
        if (!known.has(doc)) {
            known.set(doc, counted(doc));
        }
        return known.get(doc);
    }

    const known = new WeakMap();

    function counted(doc) {
        const splits = doc.locks.filter((lock) => lock.used_as !== "signal" && lock.wait_split).map((lock) => lock.wait_split);
        const sum = (of) => splits.reduce((all, split) => all + (of(split) || 0), 0);
        const [spinning, queueing, asleep] = [sum((it) => it.spinning_ns), sum((it) => it.runnable_ns), sum((it) => it.blocked_ns)];
        const all = Math.max(1, spinning + queueing + asleep);
        return { spinning: spinning / all, queueing: queueing / all };
    }

    /**
     * Of a thread, nanoseconds by cause, which add up to its life. A wait for a lock is in one part as a whole; its
     * time spent spinning or waiting for a CPU is not in the other parts again.
     */
    locktoll.profile.parts = function (thread, doc) {
        const all = new Map();
        let left = thread.duration_ns;
        const take = (cause, ns) => {
            const part = Math.max(0, Math.min(ns, left));
            all.set(cause, part);
            left -= part;
        };
        const isAsked = thread.cpu_ns !== null && thread.cpu_wait_ns !== null;
        const { spinning, queueing } = awake(doc);
        take("locks", thread.lock_wait_ns || 0);
        take("signals", thread.signal_wait_ns || 0);
        if (thread.lock_wait_ns === null && typeof thread.futex_wait_ns === "number") {
            take("either", thread.futex_wait_ns);
        }
        if (isAsked) {
            take("spinning", thread.spin_ns ?? 0);
            take("running", thread.cpu_ns - (thread.spin_ns ?? 0) - (thread.lock_wait_ns || 0) * spinning);
            take("cpu", thread.cpu_wait_ns - (thread.lock_wait_ns || 0) * queueing);
        }
        all.set(isAsked && (thread.lock_wait_ns !== null || all.has("either")) ? "other" : "unknown", left);
        return all;
    };
}
