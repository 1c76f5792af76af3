"use strict";
// The answer of a profile: the share of the threads' time spent waiting for locks, and the lock, place and holder that cost most.
{
    const kit = locktoll.kit;

    /** Below this share of the threads' time, waiting for locks is not a problem. */
    const LITTLE = 0.01;

    locktoll.profile.answer = function (section, of) {
        const { doc } = of;
        const ns = waited(of);
        const program = doc.source === "attach" ? "the program" : "the recorded program";
        if (of.locks.length === 0) {
            const damaged = doc.dropped.damaged > 0;
            const said = damaged ? "The recording is damaged, and no lock is left in it." : "No lock was seen in " + program + ".";
            kit.answer(section, { tone: "quiet", said: [[said], ...(damaged || doc.source === "attach" ? [] : [hint()])] });
            return;
        }
        const isKnown = doc.thread_time_ns > 0;
        const share = isKnown ? ns / doc.thread_time_ns : null;
        const row = costliest(of);
        const said = [row ? offender(row, of, ns) : ["No thread waited for a lock that another thread held."]];
        const why = row && reason(row, of);
        kit.answer(section, {
            figure: isKnown ? kit.share(ns, doc.thread_time_ns) : kit.duration(ns),
            of: isKnown ? "of the threads' time went into waiting for locks: " + kit.duration(ns) : "of waiting for locks, all threads together",
            tone: !isKnown ? null : share >= 0.2 ? "bad" : share < LITTLE ? "good" : null,
            said: why ? [...said, why] : said,
        });
    };

    /** All waiting for locks, waits that had not ended included. */
    const waited = (of) => of.doc.wait_ns + of.locks.reduce((sum, { lock }) => sum + lock.still_waiting_ns, 0);

    function costliest(of) {
        const [first] = [...of.locks].sort((a, b) => of.waitedNs(b) - of.waitedNs(a));
        return first && of.waitedNs(first) > 0 ? first : null;
    }

    /** The lock with most of the waiting, as a sentence with the waiter and the holder. */
    function offender(row, of, all) {
        const { lock } = row;
        const link = (text, part) => kit.go(text, { lock: of.linkName(row), ...(part ? { part } : {}) });
        const beginning = [kit.share(of.waitedNs(row), all) + " of the waiting was for ", link(of.shortName(row))];
        const several = severalHolders(lock, of.waitedNs(row));
        if (several) {
            const place = link(of.shortSite(lock.blame[0].waiter), "sites");
            const holders = link(kit.count(several.threads) + " threads", "blame");
            return [...beginning, ": ", place, " waited " + kit.duration(several.ns) + "; ", holders, " held it in turn."];
        }
        const pair = lock.blame.find(({ waiter }) => waiter.length > 0) || lock.blame[0];
        const field = lock.longest_still_waiting && lock.longest_still_waiting.owner_field;
        if (!pair && field) {
            return [...beginning, ": " + of.ownerField(field) + "."];
        }
        if (!pair || (pair.waiter.length === 0 && pair.holder === null)) {
            return [...beginning, "."];
        }
        const waiter = pair.waiter.length > 0 ? link(of.shortSite(pair.waiter), "sites") : "a thread";
        const holder =
            pair.holder !== null
                ? pair.waiter.length > 0 && of.shortSite(pair.holder) === of.shortSite(pair.waiter)
                    ? ["another thread at the same place"]
                    : [link(of.shortSite(pair.holder), "blame")]
                : pair.holder_thread
                  ? [link(of.thread(pair.holder_thread), "blame")]
                  : null;
        const share = kit.duration(pair.wait_ns);
        const [waker] = pair.holder === null ? (lock.woken_by || []) : [];
        if (holder && waker && waker.waker && waker.waker.length > 0 && of.shortSite(waker.waker) !== of.shortSite(pair.waiter)) {
            holder.push(", and was mostly woken by a release at ", link(of.shortSite(waker.waker), "woken"));
        }
        return holder ? [...beginning, ": ", waiter, " waited " + share + " for ", ...holder, "."] : [...beginning, ": ", waiter, " waited " + share + "."];
    }

    /** The waiting at one place for threads of which only the ids are known, if no pair has a third of it and they together have half of it. */
    function severalHolders({ blame }, all) {
        const of = blame.filter(({ holder, holder_thread: thread }) => thread && !holder);
        const ns = of.reduce((sum, { wait_ns: ns }) => sum + ns, 0);
        const place = blame.length > 0 && blame[0].waiter;
        const isAtOnePlace = place && place.length > 0 && blame.every(({ waiter }) => JSON.stringify(waiter) === JSON.stringify(place));
        const isOfOne = blame.some(({ wait_ns: ns }) => ns > all / 3);
        return isAtOnePlace && !isOfOne && ns > all / 2 ? { threads: of.length, ns } : null;
    }

    /** How long it was held, and why, as far as that is known. */
    function reason({ lock }, of) {
        const it = lock.while_held;
        const parts = [];
        const pair = lock.blame[0];
        const site = pair && pair.holder && lock.sites.find(({ frames }) => of.shortSite(frames) === of.shortSite(pair.holder));
        if (site && site.hold_ns > 0 && site.acquisitions > 0) {
            const each = site.acquisitions > 1 ? ", " + kit.duration(site.hold_ns / site.acquisitions) + " each time on average" : "";
            parts.push("held there for " + kit.duration(site.hold_ns) + " in " + kit.counted(site.acquisitions, "acquisition", "acquisitions") + each);
        }
        if (it && it.examined > 0 && it.blocked / it.examined >= 0.05) {
            const share = it.blocked === it.examined ? "all" : kit.share(it.blocked, it.examined) + " of the";
            parts.push("holders were asleep in " + share + " " + kit.counted(it.examined, "hold", "holds") + " examined");
        }
        const share = lock.preemption && lock.preemption.share_of_wait;
        if (share >= 0.05) {
            parts.push("a holder was preempted during " + kit.percent(share) + " of the waiting");
        }
        const text = parts.join("; ");
        return text ? [text.charAt(0).toUpperCase() + text.slice(1) + "."] : null;
    }

    /** Where to look for the locks of a program whose recording has none. */
    const hint = () =>
        kit.prose(
            "Locks that a program implements itself, and waits inside the kernel, are not recorded. locktoll attach PID sees locks whose waiters " +
                "sleep, locktoll kernel sees the kernel's own locks, and locktoll top shows which threads keep a CPU busy.",
        );
}
