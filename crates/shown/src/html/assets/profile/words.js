"use strict";
// A profile's places and locks in words, as in the terminal's text (profile/words.rs).
locktoll.profile = {};
{
    const kit = locktoll.kit;

    /** Characters of a name in a table. */
    const LONGEST = 90;

    const base = (path) => path.slice(path.lastIndexOf("/") + 1);
    const hex = (number) => "0x" + number.toString(16);

    const SEVERAL = {
        mutex: "locks",
        rwlock: "rwlocks",
        spin: "spin locks",
        semaphore: "semaphores",
        condvar: "condvars",
        barrier: "barriers",
        futex: "futexes",
    };

    /** The fields that a row that does not open leaves out, since most rows have the same (profile/html/shut.rs). */
    const LEFT_OUT = {
        "kind": "mutex",
        "used_as": "lock",
        "first_site": [],
        "birth": [],
        "initialised": false,
        "instances": 1,
        "read_acquisitions": null,
        "contended": 0,
        "try_failed": 0,
        "timed_out": 0,
        "still_waiting": 0,
        "still_waiting_ns": 0,
        "longest_still_waiting": null,
        "wait_split": null,
        "hold_ns": null,
        "recorder_dominates": false,
        "while_held": null,
        "preemption": null,
        "signal": null,
        "sites": [],
        "stacks": [],
        "members": [],
        "blame": []
    };

    /** The data that the drawers of a profile's parts share: the document, its rows, and words for their contents. */
    locktoll.profile.reading = function (doc) {
        const page = doc.page || {};
        const beside = page.rows || [];
        const rows = doc.locks.map((lock, at) => ({
            lock: { ...LEFT_OUT, ...lock },
            beside: beside[at] || { name: lock.name, opens: true, more_stacks: 0, more_sites: 0, more_blame: 0 },
        }));
        const of = {
            doc,
            page,
            locks: rows.filter(({ lock }) => lock.used_as === "lock"),
            signals: rows.filter(({ lock }) => lock.used_as === "signal"),
        };
        places(of);
        names(of);
        return of;
    };

    /** Words for frames, places and threads. */
    function places(of) {
        const { page } = of;

        /** A frame is written out, or the number of its place. */
        const place = (frame) => (typeof frame === "number" ? page.places[frame] : frame);

        of.function = function (frame) {
            const { function: name, module, offset } = place(frame);
            if (name !== null) {
                return kit.shown(name);
            }
            if (module !== null) {
                return kit.shown(base(module)) + (offset === null ? "" : "+" + hex(offset));
            }
            return offset === null ? "(unknown)" : hex(offset);
        };

        /** `write_log_line (log.c:88)`. */
        of.frame = function (frame) {
            const { function: name, file, line, module, offset } = place(frame);
            const said = of.function(frame);
            if (file !== null) {
                return said + " (" + kit.shown(base(file)) + (line === null ? "" : ":" + line) + ")";
            }
            const located = name !== null && module !== null && offset !== null;
            return located ? said + " (" + kit.shown(base(module)) + "+" + hex(offset) + ")" : said;
        };

        /** Whether the call is one of the language's runtime. */
        of.isRuntime = (frame) => place(frame).runtime === true;

        /** The same where there is little room. */
        of.short = (frame) => (place(frame).short ? kit.shown(place(frame).short) : of.frame(frame));

        /** Everything that is known about the position of a place. */
        of.whole = function (frame) {
            const { file, line, module, offset } = place(frame);
            const source = file === null ? null : kit.shown(file) + (line === null ? "" : ":" + line);
            const code = module === null ? null : kit.shown(module) + (offset === null ? "" : "+" + hex(offset));
            return [source, code].filter(Boolean).join(", ");
        };

        of.shortSite = (frames) => (frames.length > 0 ? of.short(frames[0]) : "(place not kept)");
        of.site = (frames) => (frames.length > 0 ? of.frame(frames[0]) : "(place not kept)");

        /** A place, with the function that it was inlined into. */
        of.siteWithOutermost = function (frames) {
            const site = of.shortSite(frames);
            const outermost = frames.length > 1 ? of.function(frames[frames.length - 1]) : null;
            return outermost ? site + " in " + outermost : site;
        };

        /** The owner that a mutex names and that no thread of the process will release. */
        of.ownerField = function ({ tid, state, pid }) {
            switch (state) {
                case "the_waiter":
                    return "the waiting thread already holds the lock, so it waits for itself";
                case "ended":
                    return "the lock's owner, thread " + tid + ", ended without releasing it";
                case "of_another_process":
                    return "the lock's owner is thread " + tid + " of another process, " + pid + ": the lock was held during a fork, or is shared between processes";
                default:
                    return "the lock's owner field names thread " + tid + ", which is not in this process";
            }
        };

        /** A thread by its name and id. */
        of.thread = ({ name, tid }) => (name === "" ? "thread " + tid : "thread " + kit.shown(name) + " (" + tid + ")");
    }

    /** Words for the locks of rows. */
    function names(of) {
        of.name = (row) => kit.shown(row.beside.name);
        // The types in a C++ function's name would make a row of ten lines; the opened row has them.
        /** Its name in a link's address: the lock's name if only one row has it. */
        of.linkName = (row) => ([...of.locks, ...of.signals].filter((it) => it.beside.name === row.beside.name).length > 1 ? row.lock.id : row.beside.name);
        of.rowName = (row) => (row.beside.name.length > LONGEST ? of.shortName(row) : of.name(row));
        of.shortName = (row) => kit.shown(row.beside.short ?? row.beside.name);

        /** The kind if it is not a mutex, and the number of locks that a row represents. */
        of.remark = function ({ lock }) {
            if (lock.instances > 1) {
                return "(" + kit.count(lock.instances) + " " + SEVERAL[lock.kind] + ")";
            }
            return lock.kind === "mutex" ? null : "(" + lock.kind + ")";
        };

        of.identity = function ({ lock }) {
            const parts = [lock.used_as === "signal" ? lock.kind + ", used for events" : lock.kind];
            if (lock.instances > 1) {
                parts.push(kit.count(lock.instances) + " " + SEVERAL[lock.kind] + " from one place");
            }
            return parts.join(", ");
        };

        /** The text that the filter searches in a row. */
        of.searched = (row) =>
            [row.beside.name, row.lock.id, row.lock.kind, ...row.lock.sites.map((site) => of.site(site.frames))].join(" ");

        /** Watching a running program ends in the middle of some waits. Only those that have lasted longer than any that ended are worth a remark. */
        of.isStuck = ({ lock }) =>
            lock.longest_still_waiting !== null &&
            (!lock.futex || lock.wait_ns.max === null || lock.longest_still_waiting.wait_ns > lock.wait_ns.max);

        /** All waiting for a lock, waits that had not ended included. */
        of.waitedNs = ({ lock }) => lock.wait_ns.total + lock.still_waiting_ns;
    }

    /** The share, the time and the number of waits that `pair` has of a total. */
    locktoll.profile.shares = (total, ns = "wait_ns") => [
        {
            title: "share",
            value: (pair) => pair[ns] / Math.max(1, total),
            text: (pair) => kit.share(pair[ns], total),
            share: (pair) => pair[ns] / Math.max(1, total),
        },
        { title: "wait", value: (pair) => pair[ns], text: (pair) => kit.duration(pair[ns]) },
        { title: "waits", value: (pair) => pair.count, text: (pair) => kit.count(pair.count) },
    ];

    /** An entry of a legend: a cause's colour, its words and its share of a total. */
    locktoll.profile.cause = function (list, { cause, words, ns }, total) {
        const item = kit.element.into(list, "li");
        kit.element.into(item, "i", { class: "swatch " + cause, "aria-hidden": "true" });
        kit.element.into(item, "span", { text: words });
        if (ns === null && words.startsWith("of a single thread")) {
            return;
        }
        kit.element.into(item, "strong", { text: kit.share(ns, total) });
        kit.element.into(item, "span", { class: "remark", text: kit.duration(ns) });
    };
}
