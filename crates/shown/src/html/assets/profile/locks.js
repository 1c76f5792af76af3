"use strict";
// The locks: the most expensive ones as bars, and all of them in a table whose rows open.
{
    /** Locks that have a bar. */
    const BARS = 12;
    /** Rows that are open on paper. */
    const PRINTED = 5;

    locktoll.profile.locks = function (parent, of, kit) {
        const { doc, page } = of;
        kit.heading(parent, "Locks", null, "Locks");
        if (of.locks.length === 0) {
            kit.note(parent, "None.");
            return;
        }
        unended(parent, of, kit);
        const waited = of.locks.filter((row) => of.waitedNs(row) > 0);
        const bars = waited.sort((a, b) => of.waitedNs(b) - of.waitedNs(a)).slice(0, BARS);
        if (bars.length > 0) {
            chart(parent, bars, of, kit, (row) => table.openRow(row, true));
        }
        const table = kit.table(parent, options(of, kit));
        // The page is about the one that costs most.
        const nested = parent.closest("[data-below]").dataset.below !== "0";
        if (page.opened || (!nested && bars.length > 0)) {
            table.openRow(page.opened ? of.locks[0] : bars[0]);
        }
        if (of.locks.some(({ lock }) => lock.recorder_dominates && lock.hold_ns !== null)) {
            kit.note(parent, "* held for less time than recording takes: trust the count, not the duration");
        }
        if (of.locks.some(({ beside }) => !beside.opens)) {
            kit.note(
                parent,
                "Rows without a mark do not open, since the page has details of the first locks only. locktoll report --lock ID shows any lock.",
            );
        }
    };

    /** Waits that had not ended when the recording did: a deadlock consists of them. */
    function unended(parent, of, kit) {
        const waiting = of.locks.filter((row) => of.isStuck(row) && row.lock.still_waiting > 0);
        for (const row of waiting.slice(0, 3)) {
            kit.problem(parent, of.name(row) + ": " + locktoll.profile.stillWaiting(row, of, kit));
        }
        if (waiting.length > 0) {
            kit.note(parent, "Waits that had not ended are included in the share, but not in the other figures");
        }
    }

    /** One bar per lock, which opens its row. */
    function chart(parent, bars, of, kit, open) {
        const splits = [
            ["blocked", (lock) => lock.wait_split && lock.wait_split.blocked_ns, "locks"],
            ["spinning", (lock) => lock.wait_split && lock.wait_split.spinning_ns, "running"],
            ["waiting for a CPU after the wake-up", (lock) => lock.wait_split && lock.wait_split.runnable_ns, "cpu"],
            ["not known", (lock) => (lock.wait_split ? 0 : lock.wait_ns.total), "unknown"],
            ["not ended", (lock) => lock.still_waiting_ns, "other"],
        ].filter(([, of]) => bars.some(({ lock }) => of(lock) > 0));
        const self = kit.chart(
            parent,
            {
                title: title(bars, of, kit),
                label: "The locks with the most waiting, and the parts of the waiting",
                height: (width) => 62 + bars.length * Math.max(26, kit.plots.line(width)),
                caption: "Time that all threads together waited for each lock, and its parts. Click a bar to open the lock below.",
            },
            (theme, width) => option(theme, width, bars, splits, of, kit),
        );
        const listen = (instance) => {
            instance.on("click", ({ dataIndex }) => {
                if (bars[dataIndex] && bars[dataIndex].beside.opens) {
                    open(bars[dataIndex]);
                }
            });
        };
        self.drawn = listen;
        listen(self.instance());
    }

    function title(bars, of, kit) {
        const all = of.locks.reduce((sum, row) => sum + of.waitedNs(row), 0);
        const first = of.shortName(bars[0]) + ": " + kit.duration(of.waitedNs(bars[0]));
        return first + (bars.length > 1 ? ", " + kit.share(of.waitedNs(bars[0]), all) + " of the waiting for locks" : " of waiting, all of it");
    }

    function option(theme, width, bars, splits, of, kit) {
        const names = kit.plots.names(bars.map((row) => kit.cut(of.shortName(row), 60)), width);
        return {
            grid: { left: names.left, right: 64, top: 30, bottom: 24, containLabel: false },
            legend: { type: "scroll", top: 0, left: 0, icon: "rect", itemWidth: 12, itemHeight: 12 },
            tooltip: {
                trigger: "axis",
                axisPointer: { type: "shadow" },
                formatter: (points) => {
                    const row = bars[points[0].dataIndex];
                    const all = of.waitedNs(row);
                    const lines = splits.map(([what, of]) => what + ": " + kit.duration(of(row.lock)) + ", " + kit.share(of(row.lock), all));
                    return kit.tip(kit.cut(of.name(row), 200) + ": " + kit.duration(all), ...lines);
                },
            },
            xAxis: { type: "value", axisLabel: { formatter: (ns) => kit.duration(ns), hideOverlap: true }, splitNumber: width < 600 ? 3 : 6 },
            yAxis: { ...names.axis, triggerEvent: true },
            series: splits.map(([name, figure, cause], at) => ({
                name,
                type: "bar",
                stack: "wait",
                barWidth: kit.plots.bar(width),
                itemStyle: { color: theme.causes[cause] },
                label: {
                    show: at === splits.length - 1,
                    position: "right",
                    color: theme.faint,
                    formatter: ({ dataIndex }) => kit.duration(of.waitedNs(bars[dataIndex])),
                },
                data: bars.map(({ lock }) => figure(lock) || 0),
            })),
        };
    }

    /** The table. */
    function options(of, kit) {
        const rest = of.page.rest || { locks: 0 };
        const all = columns(of, kit, rest).filter(Boolean);
        return {
            label: "Locks",
            columns: all,
            rows: of.locks,
            filter: of.searched,
            opens: (row) => row.beside.opens,
            open: (row, panel) => locktoll.profile.opened(panel, row, of),
            printed: PRINTED,
            link: { key: "lock", of: of.linkName, also: (row) => row.lock.id },
            rest: rest.locks > 0 ? all.map((column) => column.more) : null,
        };
    }

    /** The columns, each with its cell in the last row, which sums up the locks that are not in the table. */
    function columns(of, kit, rest) {
        const { doc } = of;
        const still = of.locks.some(({ lock }) => lock.still_waiting > 0);
        const shareOfTime = (lock) => (doc.thread_time_ns > 0 ? (lock.wait_ns.total + lock.still_waiting_ns) / doc.thread_time_ns : null);
        const figure = (title, note, value, format, more, beside = {}) => ({
            title,
            note,
            value: ({ lock }) => value(lock),
            text: ({ lock }) => format(value(lock)),
            more,
            ...beside,
        });
        return [
            {
                title: "lock",
                left: true,
                value: (row) => row.beside.name,
                text: of.rowName,
                remark: of.remark,
                more: "\u2026 " + kit.counted(rest.locks, "more lock", "more locks"),
            },
            figure("wait", "Time waited for the lock, all threads together", (lock) => lock.wait_ns.total, kit.duration, kit.duration(rest.wait_ns)),
            figure(
                "share",
                "Share of the time of all threads, added up; includes waits that had not ended",
                shareOfTime,
                kit.percent,
                kit.share(rest.wait_ns, doc.thread_time_ns),
                { share: ({ lock }) => shareOfTime(lock) },
            ),
            still &&
                figure(
                    "not ended",
                    "Waits that had not ended when the recording did, added up",
                    (lock) => (lock.still_waiting > 0 ? lock.still_waiting_ns : null),
                    kit.duration,
                    "",
                ),
            figure("contended", "Acquisitions that had to wait", (lock) => lock.contended, kit.count, kit.count(rest.contended)),
            figure("acquired", "Acquisitions, contended or not", (lock) => lock.acquisitions, kit.count, kit.count(rest.acquisitions)),
            figure(
                "cont. %",
                "Contended acquisitions as a share of all",
                (lock) => (lock.acquisitions > 0 ? lock.contended / lock.acquisitions : null),
                kit.percent,
                kit.share(rest.contended, rest.acquisitions),
            ),
            figure("p50", "Half of the waits were no longer; accurate to a factor of two", (lock) => lock.wait_ns.p50, kit.duration, ""),
            figure("p99", "99 in 100 of the waits were no longer; accurate to a factor of two", (lock) => lock.wait_ns.p99, kit.duration, ""),
            figure("max", "The longest wait", (lock) => lock.wait_ns.max, kit.duration, ""),
            {
                title: "held",
                note: "Time that the lock was held, estimated from the holds that were timed",
                value: ({ lock }) => lock.hold_ns && lock.hold_ns.total,
                text: ({ lock }) => kit.duration(lock.hold_ns && lock.hold_ns.total) + (lock.recorder_dominates && lock.hold_ns ? "*" : ""),
                more: kit.duration(rest.hold_ns),
            },
        ];
    }

    /** The threads that were still waiting for a lock, as a sentence without its beginning. */
    locktoll.profile.stillWaiting = function ({ lock }, of, kit) {
        const longest = lock.longest_still_waiting;
        const threads = lock.still_waiting === 1 ? "1 thread was" : kit.count(lock.still_waiting) + " threads were";
        // The length of a wait that began before watching is not known.
        const length = longest.wait_ns > 0 ? (lock.still_waiting === 1 ? "for " : "the longest for ") + kit.duration(longest.wait_ns) : "for how long is not known";
        const at = longest.frames.length === 0 && lock.futex ? "" : ", at " + of.site(longest.frames);
        const taken = (longest.holder || []).length === 0 ? "" : ", which took it at " + of.site(longest.holder) + ",";
        const named = longest.owner_field ? "; " + of.ownerField(longest.owner_field) : "";
        const held = longest.holder_thread && !lock.futex ? "; " + of.thread(longest.holder_thread) + taken + " held it when that wait began" : named;
        return threads + " still waiting at the end, " + length + at + held;
    };
}
