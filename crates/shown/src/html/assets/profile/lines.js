"use strict";
// The figures of one lock, one per line: how often it was acquired, waited for and held.
{
    const kit = locktoll.kit;

    locktoll.profile.lines = function (panel, row, of) {
        const list = kit.element.into(panel, "dl", { class: "lines" });
        const line = (term, ...texts) => {
            kit.element.into(list, "dt", { text: term });
            for (const text of texts.filter(Boolean)) {
                kit.element.into(list, "dd", {}, ...kit.prose(text));
            }
        };
        if (row.lock.used_as === "signal") {
            signal(line, row, of);
        } else {
            contention(line, row, of);
        }
        systemCalls(line, row.lock);
    };

    /** By how many threads it was acquired, and how often it can have gone from one to another (results/src/profile/lock.rs). */
    function takers(lock) {
        const takers = lock.takers;
        if (!takers || lock.acquisitions === null) {
            return false;
        }
        const threads = kit.counted(takers.threads, "thread", "threads");
        if (lock.instances > 1 || takers.threads < 2) {
            return threads;
        }
        const all = lock.acquisitions;
        const changes = Math.min(2 * (all - takers.most), all - 1);
        return threads + ", the most active " + kit.share(takers.most, all) + "; at most " + kit.share(changes, all) +
            " of the acquisitions followed one by another thread, which may move the lock's memory to another CPU even if no thread waits";
    }

    function contention(line, row, of) {
        const { lock, beside } = row;
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
        const by = takers(lock);
        if (by) {
            line("by", by);
        }
        if (lock.longest_still_waiting !== null && lock.still_waiting > 0) {
            line("waiting", locktoll.profile.stillWaiting(row, of, kit));
        }
        line("waited", waited(lock, of.doc), examined(lock));
        line("held", held(lock, of.doc), holding(lock, beside.preempted), beside.preempted, lock.recorder_dominates && "held for less time than recording takes: trust the count, not the duration");
    }

    /** The lengths of waits or holds, from the median to the longest. */
    function upTo(what, { p50, p99, max }) {
        return "; half of the " + what + " up to " + kit.duration(p50) + ", 99 in 100 up to " + kit.duration(p99) + ", the longest " + kit.duration(max);
    }

    /** The lengths of waits; of waits that had not ended, their lengths by then. */
    function waited(lock, doc) {
        const ns = lock.wait_ns.total + lock.still_waiting_ns;
        const part = doc.thread_time_ns > 0 ? ", " + kit.share(ns, doc.thread_time_ns) + " of the threads' time" : "";
        if (lock.still_waiting === 0) {
            return lengths(lock.wait_ns, part);
        }
        const soFar = kit.duration(lock.still_waiting_ns);
        return lock.contended === 0
            ? soFar + " so far" + part + "; no wait had ended"
            : lengths(lock.wait_ns, "") + "; with " + soFar + " of waits that had not ended" + part;
    }

    /** All waits together with a remark on that, then their lengths. */
    function lengths(wait, remark) {
        const total = kit.duration(wait.total) + remark;
        return wait.max === null ? total : total + upTo("waits", wait);
    }

    function examined(lock) {
        const it = lock.wait_split;
        if (!it) {
            return null;
        }
        if (it.spinning_ns === null) {
            return "spinning is not part of these waits";
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

    function held(lock, doc) {
        const hold = lock.hold_ns;
        if (hold === null) {
            return kit.dash;
        }
        // Readers hold it together, and many locks are held at once: no share of the run then.
        const alone = lock.instances === 1 && lock.read_acquisitions === null && hold.total <= doc.duration_ns;
        const busy = alone ? ", " + kit.share(hold.total, doc.duration_ns) + " of the run" : "";
        return kit.duration(hold.total) + busy + upTo("holds", hold) + "; " + kit.counted(hold.sampled, "hold", "holds") + " timed";
    }

    /** The delays of the holders. */
    function holding(lock, preempted) {
        const it = lock.while_held;
        if (!it) {
            return null;
        }
        const parts = [];
        if (it.examined > 0) {
            parts.push("blocked while holding: " + kit.count(it.blocked) + " of " + kit.count(it.examined) + " holds examined");
            if (!preempted) {
                parts.push("preempted while holding: " + kit.counted(it.involuntary_switches, "time", "times"));
            }
        }
        if (it.system_calls > 0) {
            parts.push(kit.counted(it.system_calls, "system call", "system calls") + " that may block");
        }
        return parts.join("; ");
    }

    function signal(line, row, of) {
        const { lock } = row;
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
    function systemCalls(line, lock) {
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
            parts.push(kit.counted(it.wakes, "wake", "wakes") + ", " + kit.count(it.wakes_empty) + " of them found no waiter");
        }
        line("calls", parts.join("; "));
    }
}
