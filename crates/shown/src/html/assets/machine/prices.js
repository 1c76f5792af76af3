"use strict";
// The price list: every probe, in its section; every lock.
{
    const kit = locktoll.kit;
    kit.machine = kit.machine || {};

    const GROUPS = [
        ["memory", "Memory, without the kernel"],
        ["kernel-entry", "Entering the kernel"],
        ["switch", "Switching threads"],
        ["wake-up", "Sleeping and waking"],
        ["round-trip", "Handing over, one way"],
        ["clock", "Clocks and timers"],
    ];

    kit.machine.prices = function (section, doc) {
        const parts = doc.parts || [];
        if (parts.length === 0) {
            return;
        }
        kit.heading(section, "The price list", null, "Prices");
        const theme = kit.theme();
        const known = GROUPS.map(([group]) => group);
        const rest = [...new Set(parts.map(({ group }) => group))].filter((group) => !known.includes(group)).map((group) => [group, kit.shown(group)]);
        const rows = [...GROUPS, ...rest].flatMap(([group, title], at) => {
            const own = parts.filter((part) => part.group === group);
            const marks = kit.plots.marks(theme, at);
            return own.length === 0
                ? []
                : [
                      { name: title, strong: true },
                      ...own.map((part) => ({
                          name: kit.shown(part.title),
                          estimate: part.value,
                          remark: part.value ? part.note && kit.shown(part.note) : "refused: " + kit.shown(part.refused || "not measured"),
                          color: marks.color,
                          symbol: marks.symbol,
                      })),
                  ];
        });
        kit.plots.dots(section, {
            title: "Price of each step, by kind",
            label: "Prices of memory, system calls, switches and wake-ups",
            key: refusals(parts),
            caption: "Medians with their 95 % intervals, on a logarithmic axis. \u2715 Refused: a figure whose check failed is not shown.",
            format: kit.price,
            rows,
        });
        kit.fold(section, "Every probe with its formula and the kernel's count of switches", (body) => table(body, parts));
    };

    /** Why parts have no figure, in full: a chart has no room for it. */
    function refusals(parts) {
        const refused = parts.filter(({ value }) => !value).map(({ title, refused: why }) => kit.shown(title) + ": " + kit.shown(why || "not measured"));
        return refused.length > 0 ? "\u2715 Refused: " + kit.cut(refused.join("; "), 1200) + "." : null;
    }

    const number = (value) => (typeof value === "number" ? Number(value.toFixed(3)).toString() : kit.dash);

    function table(body, parts) {
        kit.table(body, {
            label: "Probes",
            columns: [
                { title: "probe", left: true, value: ({ title }) => title, text: ({ title }) => kit.shown(title), remark: ({ name }) => kit.shown(name) },
                { title: "price", value: ({ value }) => kit.median(value), text: ({ value }) => kit.price(kit.median(value)) },
                {
                    title: "95 % interval",
                    value: ({ value }) => (value ? value.high - value.low : null),
                    text: ({ value }) => (value ? kit.price(value.low) + " to " + kit.price(value.high) : kit.dash),
                },
                { title: "switches expected", note: "per round of the probe", value: ({ switches_expected: it }) => it, text: ({ switches_expected: it }) => number(it) },
                { title: "counted", note: "by the kernel", value: ({ switches_counted: it }) => it, text: ({ switches_counted: it }) => number(it) },
                {
                    title: "voluntary, involuntary",
                    value: ({ mix }) => (mix ? mix.voluntary : null),
                    text: ({ mix }) => (mix ? number(mix.voluntary) + ", " + number(mix.involuntary) : kit.dash),
                },
                { title: "formula", left: true, value: ({ formula }) => formula, text: ({ formula }) => kit.shown(formula) },
                {
                    title: "remark",
                    left: true,
                    value: ({ refused, note }) => refused || note || null,
                    text: ({ refused, note }) => (refused ? "\u2715 refused: " + kit.shown(refused) : note ? kit.shown(note) : kit.dash),
                },
            ],
            rows: parts,
            filter: ({ name, title, group, formula }) => [name, title, group, formula].join(" "),
        });
    }

    /** From half a system call per operation on, a lock counts as one that enters the kernel each time. */
    const enters = (lock) => typeof lock.kernel_entries_per_op === "number" && lock.kernel_entries_per_op >= 0.5;

    /** `1 call`, `2 calls`, `1.5 calls`. */
    const called = (entries) => number(entries) + (number(entries) === "1" ? " call" : " calls");

    const measured = (locks) => locks.filter(({ uncontended_ns: it }) => kit.median(it) !== null);

    /** Locks that have a line in the chart; most of the others differ by less than their intervals. */
    const DRAWN = 16;
    const KNOWN = ["pthread", "std", "parking_lot", "tollgate"];

    kit.machine.locks = function (section, doc) {
        const locks = doc.locks || [];
        if (locks.length === 0) {
            return;
        }
        const theme = kit.theme();
        const wall = locks.some(({ by_wall_clock: it }) => it === true) ? " This is wall time, since CPU time is accounted too coarsely here." : "";
        kit.heading(section, "Free locks", "One thread acquires and releases the lock, with nothing in between; the empty loop is subtracted." + wall, "Free locks");
        const cost = ({ uncontended_ns: it }) => kit.median(it) ?? Infinity;
        const sorted = [...locks].sort((a, b) => cost(a) - cost(b));
        const kernel = kit.plots.marks(theme, 1);
        const known = sorted.filter(({ name }) => KNOWN.includes(name));
        const ends = sorted.filter((lock) => !known.includes(lock));
        const each = (DRAWN - KNOWN.length) / 2;
        const some = new Set([...known, ...ends.slice(0, each), ...ends.slice(-each)]);
        const drawn = sorted.length > DRAWN ? sorted.filter((lock) => some.has(lock)) : sorted;
        const calls = locks.some(enters)
            ? "\u25a0 Enters the kernel each time; in brackets, its system calls. \u25cf Does not."
            : locks.some(({ kernel_entries_per_op: it }) => typeof it === "number")
              ? "No lock whose system calls could be counted enters the kernel."
              : "The system calls of these locks were not counted.";
        kit.plots.dots(section, {
            title: "Acquiring and releasing a free lock costs " + kit.price(kit.median(sorted[0].uncontended_ns)) + " to " + kit.price(kit.median(measured(sorted).pop()?.uncontended_ns)),
            label: "Price of each lock, acquired and released by one thread",
            key: calls + (drawn.length < sorted.length ? " The chart has the " + each + " cheapest and the " + each + " most expensive of " + sorted.length + " locks, and those that most programs use; the table has all." : ""),
            format: kit.price,
            rows: drawn.map((lock) => ({
                name: kit.shown(lock.name),
                estimate: lock.uncontended_ns,
                remark: lock.uncontended_ns
                    ? enters(lock)
                        ? number(lock.kernel_entries_per_op) + " system calls per operation"
                        : null
                    : "refused: " + kit.shown(lock.refused || "not measured"),
                behind: enters(lock) ? called(lock.kernel_entries_per_op) : null,
                color: enters(lock) ? kernel.color : theme.series[0],
                symbol: enters(lock) ? "rect" : "circle",
            })),
        });
        kit.fold(section, "The same as a table", (body) =>
            kit.table(body, {
                label: "Locks",
                columns: [
                    { title: "lock", left: true, value: ({ name }) => name, text: ({ name }) => kit.shown(name) },
                    { title: "price", value: ({ uncontended_ns: it }) => kit.median(it), text: ({ uncontended_ns: it }) => kit.price(kit.median(it)) },
                    {
                        title: "95 % interval",
                        value: ({ uncontended_ns: it }) => (it ? it.high - it.low : null),
                        text: ({ uncontended_ns: it }) => (it ? kit.price(it.low) + " to " + kit.price(it.high) : kit.dash),
                    },
                    { title: "system calls per operation", value: ({ kernel_entries_per_op: it }) => it, text: ({ kernel_entries_per_op: it }) => number(it) },
                    { title: "remark", left: true, value: ({ refused }) => refused, text: ({ refused }) => (refused ? "\u2715 " + kit.shown(refused) : kit.dash) },
                ],
                rows: sorted,
                filter: ({ name }) => name,
            }),
        );
    };
}
