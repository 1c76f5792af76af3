"use strict";
// The figures of an interval, and the tables that show them.
//
//     locktoll.timeline.sums(data, from, to)    of each lock and of each thread: waits, wait_ns, longest_ns, acquired, held_ns
//     locktoll.timeline.tables(it)              {show(from, to)}: puts the figures of an interval in place of the table of locks
{
    const { KINDS } = locktoll.timeline;

    const nothing = () => ({ waits: 0, wait_ns: 0, longest_ns: 0, acquired: 0, held_ns: 0 });

    /** Parts of waits and holds outside of the interval do not count; an acquisition counts where it was made. */
    locktoll.timeline.sums = function (data, from, to) {
        const locks = new Map();
        const threads = new Map();
        const of = (all, key) => all.get(key) || all.set(key, nothing()).get(key);
        for (let thread = 0; thread + 1 < data.first.length; thread++) {
            for (let at = data.first[thread]; at < data.first[thread + 1] && data.begin[at] < to; at++) {
                const kind = data.kind[at] & 7;
                const isHold = kind === KINDS.hold;
                if (data.end[at] < from || (!isHold && kind !== KINDS.wait && kind !== KINDS.event)) {
                    continue;
                }
                const ns = Math.min(to, data.end[at]) - Math.max(from, data.begin[at]);
                for (const sum of kind === KINDS.event ? [of(locks, data.lock[at])] : [of(locks, data.lock[at]), of(threads, thread)]) {
                    add(sum, isHold, ns, isHold && data.begin[at] >= from);
                }
            }
        }
        return { locks, threads };
    };

    function add(sum, isHold, ns, isAcquired) {
        if (isHold) {
            sum.held_ns += ns;
            sum.acquired += isAcquired ? 1 : 0;
        } else if (ns > 0) {
            sum.waits += 1;
            sum.wait_ns += ns;
            sum.longest_ns = Math.max(sum.longest_ns, ns);
        }
    }

    /** The columns after the name. Holds are known if all were recorded. */
    function figures({ kit, raw }, total) {
        const figure = (title, note, name, format) => ({ title, note, value: (row) => row[name], text: (row) => format(row[name]) });
        const known = (format) => (value) => (raw.everything ? format(value) : kit.dash);
        return [
            { ...figure("wait", "Time waited in the interval", "wait_ns", kit.duration), share: (row) => row.wait_ns / Math.max(1, total) },
            figure("waits", "Waits that overlap with the interval", "waits", kit.count),
            figure("longest", "The longest part of a wait in the interval", "longest_ns", kit.duration),
            figure("acquired", "Acquisitions in the interval; a dash if only waits were recorded", "acquired", known(kit.count)),
            figure("held", "Time held in the interval; a dash if only waits were recorded", "held_ns", known(kit.duration)),
        ];
    }

    const ranked = (all, name) => [...all].map(([key, sum]) => ({ key, name: name(key), ...sum })).sort((a, b) => b.wait_ns - a.wait_ns || b.held_ns - a.held_ns);

    function table(parent, it, label, title, rows) {
        const total = rows.reduce((sum, row) => sum + row.wait_ns, 0);
        return it.kit.table(parent, { label, columns: [{ title, left: true, value: (row) => row.name }, ...figures(it, total)], rows, limit: 50 });
    }

    locktoll.timeline.tables = function (it) {
        const { kit, section } = it;
        const whole = section.querySelector('table[aria-label="Locks"]')?.closest(".table");
        const place = kit.element("div", { class: "timeline-interval" });
        if (whole) {
            whole.before(place);
        }
        return {
            show(brush) {
                place.replaceChildren();
                if (whole) {
                    whole.hidden = brush !== null;
                }
                it.below.replaceChildren();
                const { from, to } = brush || { from: it.raw.from_ns, to: it.raw.to_ns };
                const { locks, threads } = locktoll.timeline.sums(it.data, from, to);
                if (brush) {
                    const line = kit.element.into(place, "p", { class: "problem", role: "note", text: "Only the time " + it.span(from, to) + ", chosen in the timeline below. " });
                    kit.element.into(line, "button", { type: "button", class: "more", text: "Show the whole run", on: { click: () => it.clear() } });
                    table(place, it, "Locks in the interval", "lock", ranked(locks, it.lockName));
                }
                const which = brush ? "in the interval" : "in the timeline";
                kit.subheading(it.below, "Threads " + which);
                table(it.below, it, "Threads " + which, "thread", ranked(threads, (thread) => it.names[thread]));
                longest(it, from, to, which);
            },
        };
    };

    /** The longest waits for the chosen lock, as a table: the same as the picture shows. */
    function longest(it, from, to, which) {
        const { kit, data, of } = it;
        const isWait = (at) => data.lock[at] === it.lock && ((data.kind[at] & 7) === KINDS.wait || (data.kind[at] & 7) === KINDS.event);
        const found = locktoll.timeline.longest(data, isWait, from, to, 200);
        kit.subheading(it.below, "Longest waits for " + it.lockName(it.lock) + " " + which);
        if (found.length === 0) {
            kit.note(it.below, "None.");
            return;
        }
        const thread = (number) => (number > 0 ? it.names[number - 1] : kit.dash);
        kit.table(it.below, {
            label: "Longest waits",
            columns: [
                { title: "begins", value: (at) => data.begin[at], text: (at) => locktoll.timeline.moment(data.begin[at], 6) },
                { title: "thread", left: true, value: (at) => it.names[locktoll.timeline.threadOf(data, at)] },
                { title: "wait", value: (at) => data.end[at] - data.begin[at], text: (at) => kit.duration(data.end[at] - data.begin[at]) },
                { title: "held by", left: true, note: "The thread that held the lock when the wait began", value: (at) => thread(data.holder[at]) },
                { title: "released by", left: true, note: "The thread whose release ended the wait", value: (at) => thread(data.from[at]) },
                { title: "waited at", left: true, value: (at) => (data.stack[at] > 0 ? of.shortSite(it.raw.stacks[data.stack[at] - 1]) : kit.dash) },
            ],
            rows: found,
            limit: 10,
            open: (at, panel) => locktoll.timeline.describe(panel, it, at),
        });
    }
}
