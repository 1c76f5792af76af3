"use strict";
// One lock in full: the panel of an opened row of the table.
{
    const kit = locktoll.kit;
    /** Stacks that are shown at once. */
    const STACKS = 3;
    /** So many consecutive calls of the runtime are one line that opens. */
    const FOLDED = 3;

    const figure = (title, value, format) => ({ title, value, text: (row) => format(value(row)) });

    locktoll.profile.opened = function (panel, row, of) {
        const { lock } = row;
        const isSignal = lock.used_as === "signal";
        const waits = isSignal && lock.signal ? lock.signal.wait_ns : lock.wait_ns;

        if (of.rowName(row) !== of.name(row)) {
            kit.subheading(panel, of.name(row));
        }
        kit.element.into(panel, "p", { class: "note", text: of.identity(row) + "; id " + kit.shown(lock.id) });
        locktoll.profile.lines(panel, row, of);
        const series = [{ name: "waits", log2: waits.log2 }];
        if (lock.hold_ns && lock.hold_ns.log2.length > 0) {
            series.push({ name: "holds timed", log2: lock.hold_ns.log2 });
        }
        if (!isSignal && lock.wait_split && waits.total > 0) {
            split(panel, row);
        }
        const charts = kit.columns(panel);
        const name = of.name(row);
        const quantiles = waits.p50 === null ? "Share of waits up to each length" : "Half of the waits lasted up to " + kit.duration(waits.p50) + ", 99 in 100 up to " + kit.duration(waits.p99);
        kit.cumulative(charts, { title: quantiles, label: "Share of the waits for " + name + " up to each length", series });
        kit.histogram(charts, { title: "Waits by length", label: "Waits for " + name + " by length", series });
        if (charts.childElementCount === 0) {
            charts.remove();
        }
        if (lock.blame.length > 0) {
            locktoll.profile.blame(panel, row, of, kit);
        }
        woken(panel, row, of, waits.total);
        sites(panel, row, of, waits.total);
        stacks(panel, row, of, waits.total);
        birth(panel, row, of);
        members(panel, row, of);
    };

    /** Pairs that read the same are one, the largest first. */
    function merged(pairs) {
        const byText = new Map();
        for (const pair of pairs) {
            const key = pair.waiter + "\0" + pair.waker;
            const before = byText.get(key);
            byText.set(key, before ? { ...pair, count: before.count + pair.count, wait_ns: before.wait_ns + pair.wait_ns } : pair);
        }
        return [...byText.values()].sort((a, b) => b.wait_ns - a.wait_ns);
    }

    /** The places that ended the waits of each place. */
    function woken(panel, { lock }, of, total) {
        // Different calls of one place read the same.
        const pairs = merged(
            (lock.woken_by || []).map((pair) => ({
                waiter: of.shortSite(pair.waiter),
                waker: pair.waker === null ? "not seen" : of.shortSite(pair.waker),
                count: pair.count,
                wait_ns: pair.wait_ns,
            })),
        );
        if (pairs.length === 0) {
            return;
        }
        kit.subheading(panel, "Who woke whom").dataset.part = "woken";
        kit.table(panel, {
            label: "Wakers",
            columns: [
                { title: "waited at", left: true, value: (pair) => pair.waiter },
                { title: "woken at", left: true, value: (pair) => pair.waker },
                ...locktoll.profile.shares(total),
            ],
            rows: pairs,
            limit: 20,
        });
    }

    /** The parts of the waiting, as a bar with its legend. */
    function split(panel, { lock }) {
        const it = lock.wait_split;
        // Without an examined wait, spinning and sleeping cannot be distinguished.
        const parts =
            it.spinning_ns === null
                ? [
                      ["locks", "blocked", it.blocked_ns],
                      ["cpu", "waiting for a CPU after the wake-up", it.runnable_ns],
                  ]
                : it.examined === 0
                ? [
                      ["locks", "blocked or spinning", it.blocked_ns + it.spinning_ns],
                      ["cpu", "waiting for a CPU after the wake-up", it.runnable_ns],
                  ]
                : [
                      ["locks", "blocked", it.blocked_ns],
                      ["running", "spinning", it.spinning_ns],
                      ["cpu", "waiting for a CPU after the wake-up", it.runnable_ns],
                  ];
        const all = parts.reduce((sum, [, , ns]) => sum + ns, 0);
        kit.subheading(panel, "Parts of the waits");
        const bar = kit.element.into(panel, "div", { class: "split", "aria-hidden": "true" });
        const legend = kit.element.into(panel, "ul", { class: "causes" });
        for (const [cause, words, ns] of parts) {
            const part = kit.element.into(bar, "i", { class: "swatch " + cause });
            part.style.flexGrow = String(all > 0 ? ns / all : 0);
            locktoll.profile.cause(legend, { cause, words, ns }, all);
        }
    }

    function sites(panel, { lock, beside }, of, total) {
        const isSignal = lock.used_as === "signal";
        if (lock.sites.length === 0) {
            return;
        }
        kit.subheading(panel, isSignal ? "Where it is waited for" : "Where it is acquired").dataset.part = "sites";
        kit.table(panel, {
            label: "Places",
            columns: [
                {
                    title: "place",
                    left: true,
                    value: (site) => of.shortSite(site.frames),
                    text: (site) => of.siteWithOutermost(site.frames),
                },
                { ...figure("wait", (site) => site.wait_ns, kit.duration), share: (site) => site.wait_ns / Math.max(1, total) },
                figure("max", (site) => site.wait_max_ns, kit.duration),
                figure(isSignal ? "blocked" : "contended", (site) => site.contended, kit.count),
                figure(isSignal ? "calls" : "acquired", (site) => site.acquisitions, kit.count),
                lock.sites.some((site) => site.try_failed > 0) && figure("failed", (site) => site.try_failed, kit.count),
                !isSignal && figure("held", (site) => site.hold_ns, kit.duration),
            ].filter(Boolean),
            rows: lock.sites,
            limit: 20,
        });
        more(panel, beside.more_sites, "more place", "more places");
    }

    function stacks(panel, { lock, beside }, of, total) {
        if (lock.stacks.length === 0) {
            return;
        }
        kit.subheading(panel, "Stacks that waited");
        const columns = kit.columns(panel);
        lock.stacks.slice(0, STACKS).forEach((it) => stack(columns, it, of, total));
        const others = lock.stacks.slice(STACKS);
        if (others.length > 0) {
            kit.fold(panel, kit.counted(others.length, "more stack", "more stacks"), (body) => {
                const columns = kit.columns(body);
                others.forEach((it) => stack(columns, it, of, total));
            });
        }
        more(panel, beside.more_stacks, "more stack", "more stacks");
    }

    function stack(parent, { frames, waits, wait_ns }, of, total) {
        const figure = kit.element.into(parent, "div", { class: "stack" });
        const what = kit.duration(wait_ns) + " (" + kit.share(wait_ns, total) + ") in " + kit.counted(waits, "wait", "waits");
        kit.element.into(figure, "strong", { text: what });
        calls(figure, frames, of);
    }

    /** One call per line, innermost first; the whole paths, which few need, are in a part of their own. */
    function calls(parent, frames, of) {
        const list = kit.element.into(parent, "ol", { class: "calls" });
        const line = (into, frame) => kit.element.into(into, "li", { text: of.frame(frame), title: of.whole(frame) || null });
        for (let at = 0; at < frames.length; ) {
            const other = frames.findIndex((frame, later) => later >= at && !of.isRuntime(frame));
            const plumbing = frames.slice(at, other < 0 ? frames.length : other);
            if (plumbing.length < FOLDED) {
                line(list, frames[at]);
                at += 1;
                continue;
            }
            const details = kit.element.into(kit.element.into(list, "li"), "details", { class: "plumbing" });
            kit.element.into(details, "summary", { text: kit.counted(plumbing.length, "runtime frame", "runtime frames") });
            const inner = kit.element.into(details, "ol", { class: "calls" });
            plumbing.forEach((frame) => line(inner, frame));
            at += plumbing.length;
        }
        if (frames.some((frame) => of.whole(frame) !== "")) {
            const where = kit.element.into(parent, "details", { class: "where" });
            kit.element.into(where, "summary", { text: "Files and modules" });
            const wholes = kit.element.into(where, "ol");
            frames.forEach((frame) => kit.element.into(wholes, "li", { text: of.whole(frame) || "(not known)" }));
        }
    }

    function birth(panel, { lock }, of) {
        if (lock.birth.length === 0) {
            return;
        }
        kit.fold(panel, lock.initialised ? "Initialised by" : "First acquired by", (body) => calls(body, lock.birth, of));
    }

    function members(panel, { lock }, of) {
        if (lock.instances <= 1 || lock.members.length === 0) {
            return;
        }
        kit.subheading(panel, "The single locks that cost most");
        const hex = (number) => "0x" + number.toString(16);
        kit.table(panel, {
            label: "Single locks",
            columns: [
                {
                    title: "lock",
                    left: true,
                    value: (member) => member.offset ?? member.address,
                    text: (member) => (member.offset === null ? hex(member.address) : "+" + hex(member.offset)),
                    remark: (member) =>
                        (member.offset === null ? "lock " + member.generation : "at " + hex(member.address)) +
                        (of.doc.processes.length > 1 ? " of process " + member.pid : ""),
                },
                figure("wait", (member) => member.wait_ns, kit.duration),
                figure("contended", (member) => member.contended, kit.count),
                figure("acquired", (member) => member.acquisitions, kit.count),
                figure("held", (member) => member.hold_ns, kit.duration),
            ],
            rows: lock.members,
        });
        more(panel, lock.instances - lock.members.length, "more", "more");
    }

    function more(panel, number, one, many) {
        if (number > 0) {
            kit.note(panel, "\u2026 and " + kit.counted(number, one, many));
        }
    }
}
