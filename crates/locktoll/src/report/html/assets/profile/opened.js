"use strict";
// One lock in full: what a row of the table opens to.
{
    /** Stacks that are shown at once. */
    const STACKS = 3;

    locktoll.profile.opened = function (panel, row, of, kit) {
        const { lock, beside } = row;
        const { doc } = of;
        const isSignal = lock.used_as === "signal";
        const waits = isSignal && lock.signal ? lock.signal.wait_ns : lock.wait_ns;

        if (of.rowName(row) !== of.name(row)) {
            kit.subheading(panel, of.name(row));
        }
        kit.element.into(panel, "p", { class: "note", text: of.identity(row) + "; id " + kit.shown(lock.id) });
        const list = kit.element.into(panel, "dl", { class: "lines" });
        const line = (term, ...texts) => {
            kit.element.into(list, "dt", { text: term });
            for (const text of texts.filter(Boolean)) {
                kit.element.into(list, "dd", { text });
            }
        };
        if (isSignal) {
            signal();
        } else {
            contention();
        }
        systemCalls();
        const series = [{ name: "waits", log2: waits.log2 }];
        if (lock.hold_ns && lock.hold_ns.log2.length > 0) {
            series.push({ name: "holds timed", log2: lock.hold_ns.log2 });
        }
        if (!isSignal && lock.wait_split && waits.total > 0) {
            split();
        }
        const charts = kit.columns(panel);
        const name = of.name(row);
        kit.cumulative(charts, { label: "What part of the waits for " + name + " was not longer", caption: "What part was not longer", series });
        kit.histogram(charts, { label: "Waits for " + name + " by length", caption: "What part had each length", series });
        if (charts.childElementCount === 0) {
            charts.remove();
        }
        if (lock.blame.length > 0) {
            locktoll.profile.blame(panel, row, of, kit);
        }
        woken();
        sites();
        stacks();
        birth();
        members();

        function contention() {
            const acquired = [
                lock.acquisitions === null
                    ? kit.counted(lock.contended, "time", "times") + " contended (the others are not seen)"
                    : kit.counted(lock.acquisitions, "time", "times") +
                      ", " +
                      kit.count(lock.contended) +
                      " of them contended (" +
                      kit.share(lock.contended, lock.acquisitions) +
                      ")",
            ];
            if (lock.read_acquisitions !== null) {
                acquired.push(kit.count(lock.read_acquisitions) + " as a reader");
            }
            if (lock.try_failed > 0) {
                acquired.push(kit.count(lock.try_failed) + " attempts found it taken");
            }
            if (lock.timed_out > 0) {
                acquired.push(kit.count(lock.timed_out) + " waits ended by their deadline");
            }
            line("acquired", acquired.join("; "));
            if (lock.longest_still_waiting !== null && lock.still_waiting > 0) {
                line("waiting", locktoll.profile.stillWaiting(row, of, kit));
            }
            line("waited", lengths(lock.wait_ns, ", " + kit.share(lock.wait_ns.total, doc.thread_time_ns) + " of the threads' time"), examined());
            line("held", held(), holding(), beside.preempted, lock.recorder_dominates && "held for less than it takes to record it: true is how often, not how long");
        }

        /** All waits together with a remark on that, then how long they were. */
        function lengths(wait, remark) {
            const total = kit.duration(wait.total) + remark;
            return wait.max === null
                ? total
                : total +
                      "; half of the waits up to " +
                      kit.duration(wait.p50) +
                      ", 99 in 100 up to " +
                      kit.duration(wait.p99) +
                      ", the longest " +
                      kit.duration(wait.max);
        }

        function examined() {
            const it = lock.wait_split;
            if (!it) {
                return null;
            }
            if (it.spinning_ns === null) {
                return "spinning is not seen";
            }
            return it.examined === 0
                ? "no wait was examined for context switches"
                : "context switches in " +
                      kit.counted(it.examined, "wait examined", "waits examined") +
                      ": " +
                      kit.count(it.voluntary_switches) +
                      " voluntary, " +
                      kit.count(it.involuntary_switches) +
                      " involuntary";
        }

        function held() {
            const hold = lock.hold_ns;
            if (hold === null) {
                return kit.dash;
            }
            // Readers hold it together, and many locks are held at once: no share of the run then.
            const alone = lock.instances === 1 && lock.read_acquisitions === null && hold.total <= doc.duration_ns;
            const busy = alone ? ", " + kit.share(hold.total, doc.duration_ns) + " of the run" : "";
            return (
                kit.duration(hold.total) +
                busy +
                "; half of the holds up to " +
                kit.duration(hold.p50) +
                ", 99 in 100 up to " +
                kit.duration(hold.p99) +
                ", the longest " +
                kit.duration(hold.max) +
                "; " +
                kit.counted(hold.sampled, "hold", "holds") +
                " timed"
            );
        }

        /** What held the holders up. */
        function holding() {
            const it = lock.while_held;
            if (!it) {
                return null;
            }
            const parts = [];
            if (it.examined > 0) {
                parts.push("blocked while holding: " + kit.count(it.blocked) + " of " + kit.count(it.examined) + " holds examined");
                parts.push("preempted while holding: " + kit.counted(it.involuntary_switches, "time", "times"));
            }
            if (it.system_calls > 0) {
                parts.push(kit.counted(it.system_calls, "system call", "system calls") + " that may block");
            }
            return parts.join("; ");
        }

        function signal() {
            const it = lock.signal;
            if (!it) {
                return;
            }
            line(
                "waits",
                it.waits === null
                    ? kit.counted(it.blocked, "call", "calls") + " had to wait (the others are not seen)"
                    : kit.counted(it.waits, "call", "calls") + ", " + kit.count(it.blocked) + " of them had to wait",
            );
            if (lock.longest_still_waiting !== null && lock.still_waiting > 0) {
                line("waiting", locktoll.profile.stillWaiting(row, of, kit));
            }
            line("waited", lengths(it.wait_ns, ""));
            if (lock.kind === "condvar" && it.relock_ns !== null) {
                line("re-lock", kit.duration(it.relock_ns) + " from the last signal to the return: waking up and acquiring the mutex again");
            }
            if (it.signals !== null) {
                line("signalled", kit.counted(it.signals, "signal", "signals") + ", " + kit.counted(it.broadcasts, "broadcast", "broadcasts"));
            }
        }

        /** The system calls of waiting and waking, where they were counted. */
        function systemCalls() {
            const it = lock.futex;
            if (!it) {
                return;
            }
            const parts = [kit.counted(it.woken, "wait", "waits") + " woken"];
            const others = [
                [it.timed_out, "timed out"],
                [it.interrupted, "interrupted"],
                [it.failed, "failed"],
                [it.again, "did not wait, since the word had changed"],
            ];
            for (const [number, what] of others.filter(([number]) => number > 0)) {
                parts.push(kit.count(number) + " " + what);
            }
            if (it.wakes !== null) {
                parts.push(kit.counted(it.wakes, "wake", "wakes") + ", " + kit.count(it.wakes_empty) + " of them met nobody");
            }
            line("calls", parts.join("; "));
        }

        /** Who ended whose waits. */
        function woken() {
            const pairs = lock.woken_by || [];
            if (pairs.length === 0) {
                return;
            }
            kit.subheading(panel, "Who woke whom");
            kit.table(panel, {
                label: "Wakers",
                columns: [
                    { title: "waited at", left: true, value: (pair) => of.shortSite(pair.waiter) },
                    { title: "woken at", left: true, value: (pair) => (pair.waker === null ? "not seen" : of.shortSite(pair.waker)) },
                    {
                        title: "share",
                        value: (pair) => pair.wait_ns / Math.max(1, waits.total),
                        text: (pair) => kit.share(pair.wait_ns, waits.total),
                        share: (pair) => pair.wait_ns / Math.max(1, waits.total),
                    },
                    { title: "wait", value: (pair) => pair.wait_ns, text: (pair) => kit.duration(pair.wait_ns) },
                    { title: "waits", value: (pair) => pair.count, text: (pair) => kit.count(pair.count) },
                ],
                rows: pairs,
                limit: 20,
            });
        }

        /** What the waiting consisted of, as a bar with its legend. */
        function split() {
            const it = lock.wait_split;
            // Without an examined wait there is no telling spinning from sleeping.
            const parts =
                it.spinning_ns === null
                    ? [
                          ["locks", "blocked", it.blocked_ns],
                          ["cpu", "woken and not yet running", it.runnable_ns],
                      ]
                    : it.examined === 0
                    ? [
                          ["locks", "blocked or spinning", it.blocked_ns + it.spinning_ns],
                          ["cpu", "woken and not yet running", it.runnable_ns],
                      ]
                    : [
                          ["locks", "blocked", it.blocked_ns],
                          ["running", "spinning", it.spinning_ns],
                          ["cpu", "woken and not yet running", it.runnable_ns],
                      ];
            const all = parts.reduce((sum, [, , ns]) => sum + ns, 0);
            kit.subheading(panel, "What the waits consisted of");
            const bar = kit.element.into(panel, "div", { class: "split", "aria-hidden": "true" });
            const legend = kit.element.into(panel, "ul", { class: "causes" });
            for (const [cause, words, ns] of parts) {
                const part = kit.element.into(bar, "i", { class: "swatch " + cause });
                part.style.flexGrow = String(all > 0 ? ns / all : 0);
                const item = kit.element.into(legend, "li");
                kit.element.into(item, "i", { class: "swatch " + cause, "aria-hidden": "true" });
                kit.element.into(item, "span", { text: words });
                kit.element.into(item, "strong", { text: kit.share(ns, all) });
                kit.element.into(item, "span", { class: "remark", text: kit.duration(ns) });
            }
        }

        function sites() {
            if (lock.sites.length === 0) {
                return;
            }
            kit.subheading(panel, isSignal ? "Where it is waited for" : "Where it is acquired");
            const figure = (title, value, format) => ({ title, value, text: (site) => format(value(site)) });
            kit.table(panel, {
                label: "Places",
                columns: [
                    {
                        title: "place",
                        left: true,
                        value: (site) => of.shortSite(site.frames),
                        text: (site) => of.siteWithOutermost(site.frames),
                    },
                    { ...figure("wait", (site) => site.wait_ns, kit.duration), share: (site) => site.wait_ns / Math.max(1, waits.total) },
                    figure("max", (site) => site.wait_max_ns, kit.duration),
                    figure(isSignal ? "blocked" : "contended", (site) => site.contended, kit.count),
                    figure(isSignal ? "calls" : "acquired", (site) => site.acquisitions, kit.count),
                    lock.sites.some((site) => site.try_failed > 0) && figure("failed", (site) => site.try_failed, kit.count),
                    !isSignal && figure("held", (site) => site.hold_ns, kit.duration),
                ].filter(Boolean),
                rows: lock.sites,
                limit: 20,
            });
            more(beside.more_sites, "more place", "more places");
        }

        function stacks() {
            if (lock.stacks.length === 0) {
                return;
            }
            kit.subheading(panel, "Stacks that waited");
            const columns = kit.columns(panel);
            lock.stacks.slice(0, STACKS).forEach((it) => stack(columns, it));
            const others = lock.stacks.slice(STACKS);
            if (others.length > 0) {
                kit.fold(panel, kit.counted(others.length, "more stack", "more stacks"), (body) => {
                    const columns = kit.columns(body);
                    others.forEach((it) => stack(columns, it));
                });
            }
            more(beside.more_stacks, "more stack", "more stacks");
        }

        function stack(parent, { frames, waits: number, wait_ns }) {
            const figure = kit.element.into(parent, "div", { class: "stack" });
            const what = kit.duration(wait_ns) + " (" + kit.share(wait_ns, waits.total) + ") in " + kit.counted(number, "wait", "waits");
            kit.element.into(figure, "strong", { text: what });
            calls(figure, frames);
        }

        /** One call a line, innermost first; the whole paths, which few need, in a part of their own. */
        function calls(parent, frames) {
            const list = kit.element.into(parent, "ol", { class: "calls" });
            for (const frame of frames) {
                kit.element.into(list, "li", { text: of.frame(frame), title: of.whole(frame) || null });
            }
            if (frames.some((frame) => of.whole(frame) !== "")) {
                const where = kit.element.into(parent, "details", { class: "where" });
                kit.element.into(where, "summary", { text: "Files and modules" });
                const wholes = kit.element.into(where, "ol");
                frames.forEach((frame) => kit.element.into(wholes, "li", { text: of.whole(frame) || "(not known)" }));
            }
        }

        function birth() {
            if (lock.birth.length === 0) {
                return;
            }
            kit.fold(panel, lock.initialised ? "Initialised by" : "First taken by", (body) => calls(body, lock.birth));
        }

        function members() {
            if (lock.instances <= 1 || lock.members.length === 0) {
                return;
            }
            kit.subheading(panel, "The dearest single locks");
            const hex = (number) => "0x" + number.toString(16);
            const figure = (title, value, format) => ({ title, value, text: (member) => format(value(member)) });
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
                            (doc.processes.length > 1 ? " of process " + member.pid : ""),
                    },
                    figure("wait", (member) => member.wait_ns, kit.duration),
                    figure("contended", (member) => member.contended, kit.count),
                    figure("acquired", (member) => member.acquisitions, kit.count),
                    figure("held", (member) => member.hold_ns, kit.duration),
                ],
                rows: lock.members,
            });
            more(lock.instances - lock.members.length, "more", "more");
        }

        function more(number, one, many) {
            if (number > 0) {
                kit.note(panel, "\u2026 and " + kit.counted(number, one, many));
            }
        }
    };
}
