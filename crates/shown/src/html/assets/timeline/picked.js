"use strict";
// One interval in words: whose it was, its calls, who held the lock, and what the holder did in the meantime.
//
//     locktoll.timeline.describe(panel, it, interval)     fills a panel
//     locktoll.timeline.inWords(it, interval)             one sentence
{
    const { KINDS, HOLD, WAIT, kindOf, flagsOf, threadOf } = locktoll.timeline;

    /** Lines about one hold. */
    const DEEDS = 8;
    /** Holds during one wait. */
    const HOLDERS = 12;

    const called = (it, thread) => it.names[thread];
    const lockName = (it, interval) => it.lockName(it.data.lock[interval]);
    const length = ({ data }, interval) => data.end[interval] - data.begin[interval];
    const frames = (it, stack) => (stack < 0 ? [] : it.raw.stacks[stack]);
    const place = (it, stack) => (stack < 0 ? null : it.of.site(frames(it, stack)));

    const verb = {
        [KINDS.hold]: "held",
        [KINDS.wait]: "waited for",
        [KINDS.event]: "waited for a signal of",
        [KINDS.blocked]: "was in a call that may block while it held",
    };

    function doing(it, interval) {
        const kind = kindOf(it.data, interval);
        if (kind === KINDS.preempted) {
            return "had no CPU, since others ran";
        }
        return kind === KINDS.off ? "slept" : verb[kind] + " " + lockName(it, interval);
    }

    locktoll.timeline.inWords = function (it, interval) {
        const { data, kit } = it;
        return called(it, threadOf(data, interval)) + " " + doing(it, interval) + " for " + kit.duration(length(it, interval)) + ", from " + locktoll.timeline.moment(data.begin[interval], 6) + ending(it, interval);
    };

    /** The way in which an interval ended, if it is unusual. */
    function ending(it, interval) {
        const [kind, flags] = [kindOf(it.data, interval), flagsOf(it.data, interval)];
        if (kind === KINDS.wait || kind === KINDS.event) {
            return { [WAIT.timedOut]: "; it ended at its deadline", [WAIT.failed]: "; it failed", [WAIT.unfinished]: "; it had not ended when the recording did" }[flags] || "";
        }
        if (kind === KINDS.hold) {
            const known = flags & HOLD.beganEarlier ? "; it began earlier, at an unknown time" : "";
            return (flags & HOLD.shared ? ", together with other readers" : "") + known + (flags & HOLD.unfinished ? "; it had not ended when the recording did" : "");
        }
        return "";
    }

    locktoll.timeline.describe = function (panel, it, interval) {
        const { data, kit } = it;
        kit.subheading(panel, locktoll.timeline.inWords(it, interval));
        const kind = kindOf(data, interval);
        if (kind === KINDS.wait || kind === KINDS.event) {
            handOver(panel, it, interval);
        }
        stack(panel, it, frames(it, data.stack[interval] - 1), kind === KINDS.hold ? "Acquired at" : "The calls that waited");
        if (kind === KINDS.wait) {
            holders(panel, it, interval);
        }
        kit.linkTo(panel, { timeline: data.begin[interval] + "-" + data.end[interval], of: String(data.lock[interval]) });
        panel.lastChild.textContent = "Copy link to this time";
    };

    /** Who held the lock as the wait began, and who gave it. */
    function handOver(panel, it, wait) {
        const { data, kit } = it;
        const list = kit.element.into(panel, "dl", { class: "lines" });
        const line = (term, text) => kit.element.into(list, "dt", { text: term }) && kit.element.into(list, "dd", { text });
        if (kindOf(data, wait) === KINDS.wait) {
            const at = place(it, locktoll.timeline.holderPlace(data, wait));
            const holder = data.holder[wait] > 0 ? called(it, data.holder[wait] - 1) : null;
            line("holder when the wait began", holder === null ? "not known" : holder + (at ? ", which acquired it at " + at : ""));
        }
        if (data.from[wait] > 0) {
            const since = data.end[wait] - locktoll.timeline.releasedAt(data, wait);
            const who = called(it, data.from[wait] - 1);
            line(kindOf(data, wait) === KINDS.wait ? "released by" : "signalled by", who + ", " + kit.duration(since) + " before the wait ended");
        }
    }

    function stack(panel, it, calls, title) {
        const { kit, of } = it;
        kit.element.into(panel, "p", { class: "note", text: calls.length > 0 ? title + ":" : title + ": not known" });
        if (calls.length > 0) {
            const list = kit.element.into(panel, "ol", { class: "calls" });
            calls.forEach((frame) => kit.element.into(list, "li", { text: of.frame(frame), title: of.whole(frame) || null }));
        }
    }

    /** The holds of the lock by other threads during a wait, by time. */
    function during(it, wait) {
        const { data, raw } = it;
        const [from, to, lock, own] = [data.begin[wait], data.end[wait], data.lock[wait], threadOf(data, wait)];
        const found = [];
        for (let thread = 0; thread < raw.threads.length; thread++) {
            if (thread !== own) {
                found.push(...locktoll.timeline.overlapping(data, thread, from, to, (at) => kindOf(data, at) === KINDS.hold && data.lock[at] === lock));
            }
        }
        return found.sort((a, b) => data.begin[a] - data.begin[b]);
    }

    function holders(panel, it, wait) {
        const { kit, raw, data } = it;
        const holds = during(it, wait);
        const [from, to] = [data.begin[wait], data.end[wait]];
        kit.subheading(panel, "What the holders did in the meantime");
        const list = kit.element.into(panel, "ol", { class: "holders" });
        for (const hold of holds.slice(0, HOLDERS)) {
            const ns = Math.min(to, data.end[hold]) - Math.max(from, data.begin[hold]);
            const at = place(it, data.stack[hold] - 1);
            const text = called(it, threadOf(data, hold)) + " held it for " + kit.duration(ns) + " of this time (" + kit.share(ns, to - from) + ")";
            const item = kit.element.into(list, "li", { text: text + (at ? ", acquired at " + at : "") + ending(it, hold) });
            deeds(item, it, threadOf(data, hold), Math.max(from, data.begin[hold]), Math.min(to, data.end[hold]), hold);
        }
        if (holds.length > HOLDERS) {
            kit.element.into(list, "li", { text: "\u2026 " + kit.counted(holds.length - HOLDERS, "more hold", "more holds") });
        }
        const holder = data.holder[wait] - 1;
        if (holds.length === 0 && holder >= 0) {
            const item = kit.element.into(list, "li", { text: called(it, holder) + " held the lock when the wait began. Its hold is not in the recording." });
            deeds(item, it, holder, from, to, -1);
        }
        const known = holds.reduce((sum, hold) => sum + Math.min(to, data.end[hold]) - Math.max(from, data.begin[hold]), 0);
        if (known < to - from && !raw.everything) {
            kit.note(panel, "For " + kit.duration(to - from - known) + " of this wait, the recording does not have the holder.");
        }
    }

    /** What a thread did in a time, the longest part first, other than one hold. */
    function deeds(parent, it, thread, from, to, other) {
        const { data, kit } = it;
        const part = (at) => Math.min(to, data.end[at]) - Math.max(from, data.begin[at]);
        const all = locktoll.timeline.overlapping(data, thread, from, to, (at) => at !== other && kindOf(data, at) !== KINDS.signal).sort((a, b) => part(b) - part(a) || a - b);
        if (all.length === 0) {
            return;
        }
        const list = kit.element.into(parent, "ul");
        for (const at of all.slice(0, DEEDS)) {
            const where = place(it, data.stack[at] - 1);
            const text = "it " + doing(it, at) + " for " + kit.duration(part(at));
            kit.element.into(list, "li", { text: text + (where && kindOf(data, at) <= KINDS.event ? ", at " + where : "") + ending(it, at) });
        }
        if (all.length > DEEDS) {
            kit.element.into(list, "li", { text: "\u2026 and " + kit.count(all.length - DEEDS) + " more" });
        }
    }
}
