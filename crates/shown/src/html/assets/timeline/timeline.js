"use strict";
// The timeline of a profile: its parts, and what happens in them.
{
    const { SIZES, KINDS } = locktoll.timeline;

    /** The most rows that are in sight at once, pixels. */
    const HIGHEST = 440;
    /** A click finds intervals this far from it, pixels. */
    const NEAR = 4;
    /** The widest column of names, and that of a phone, pixels. */
    const LEFT = [168, 84];

    const KEYS = "Keys: left and right move, + and \u2212 zoom, 0 shows all, up and down choose a thread, n and p go to its next and previous wait, i chooses the time in sight, Escape ends the choice.";

    locktoll.profile.timeline = function (section, of, kit) {
        const raw = of.page.timeline;
        if (!raw) {
            return;
        }
        kit.heading(section, "Timeline", null, "Timeline");
        const remarks = raw.remarks.map((text) => kit.shown(text));
        if (raw.intervals === 0) {
            kit.note(section, ["The timeline has no events.", ...remarks].join(" "));
            return;
        }
        const it = state(section, raw, of, kit);
        findings(it);
        const box = kit.element.into(section, "div", { class: "timeline", "data-state": "reading" });
        it.box = box;
        tools(it, box);
        legend(it, box);
        kit.element.into(box, "p", { class: "note", id: "timeline-keys", text: KEYS });
        it.left = LEFT[0];
        it.map = locktoll.timeline.map(it, box);
        it.room = kit.element.into(box, "div", { class: "timeline-room" });
        it.canvas = kit.element.into(it.room, "canvas", {
            class: "timeline-rows",
            tabindex: "0",
            role: "application",
            "aria-roledescription": "timeline",
            "aria-describedby": "timeline-keys",
        });
        it.bitmap = document.createElement("canvas");
        it.spacer = kit.element.into(it.room, "div", { "aria-hidden": "true" });
        it.status = kit.element.into(box, "p", { class: "amount", role: "status" });
        it.panel = kit.element.into(box, "div", { class: "timeline-picked" });
        remarks.forEach((text) => kit.note(section, text));
        it.below = kit.element.into(section, "div", { class: "timeline-tables" });
        behave(it);
        show(it);
    };

    function state(section, raw, of, kit) {
        const namesakes = new Map();
        raw.threads.forEach(({ name }) => namesakes.set(name, (namesakes.get(name) || 0) + 1));
        const called = ({ name, tid }) => (name === "" ? "thread " + tid : kit.shown(name) + (namesakes.get(name) > 1 ? " " + tid : ""));
        return {
            section, raw, of, kit,
            names: raw.threads.map(called),
            lockName: (lock) => kit.shown(raw.locks[lock].name),
            lock: raw.first,
            data: null,
            lanes: raw.threads.map(() => null),
            rows: [],
            isAll: false,
            view: { from: raw.from_ns, to: raw.to_ns, rows: [] },
            scrolled: 0,
            row: null,
            picked: null,
            brush: null,
            mode: "move",
            font: getComputedStyle(document.body).fontFamily,
            span: (from, to) => {
                const digits = Math.max(3, 11 - Math.floor(Math.log10(Math.max(1, to - from))));
                return "from " + locktoll.timeline.moment(from, digits) + " to " + locktoll.timeline.moment(to, digits) + " (" + kit.duration(to - from) + ")";
            },
        };
    }

    /** Sentences, each with a link to its time. */
    function findings({ section, raw, kit }) {
        if (raw.findings.length === 0) {
            return;
        }
        const list = kit.element.into(section, "ul", { class: "findings" });
        for (const { sentence, begin_ns: begin, end_ns: end, lock } of raw.findings) {
            const item = kit.element.into(list, "li", {}, ...kit.prose(kit.shown(sentence)), " ");
            item.append(kit.go("Show", { timeline: begin + "-" + end, ...(lock === null ? {} : { of: String(lock) }) }));
        }
    }

    function tools(it, box) {
        const { kit, raw } = it;
        const line = kit.element.into(box, "div", { class: "choices" });
        const list = kit.element("select", { id: "timeline-lock", on: { change: () => it.chooseLock(Number(list.value)) } });
        raw.choices.forEach(({ lock, wait_ns: ns }) => kit.element.into(list, "option", { value: String(lock), text: kit.cut(it.lockName(lock), 60) + ": " + kit.duration(ns) }));
        list.value = String(raw.first);
        it.list = list;
        kit.element.into(line, "span", { class: "choice" }, kit.element("label", { for: "timeline-lock", text: "Lock" }), list);
        const button = (text, label, click) => kit.element("button", { type: "button", class: "more", text, "aria-label": label, on: { click } });
        const { zoom, look } = locktoll.timeline;
        kit.element.into(
            line, "span", { class: "choice" },
            button("+", "Zoom in", () => zoom(it, 0.5)),
            button("\u2212", "Zoom out", () => zoom(it, 2)),
            button("Whole run", null, () => look(it, raw.from_ns, raw.to_ns)),
            button("Figures of this view", null, () => it.choose(it.view.from, it.view.to, true)),
        );
        const switches = ["move", "choose"].map((mode) =>
            kit.element("button", { type: "button", class: "switch", text: mode === "move" ? "Drag moves" : "Drag chooses a time", "aria-pressed": String(mode === it.mode), on: { click: () => it.chooseMode(mode) } }),
        );
        it.chooseMode = (mode) => {
            it.mode = mode;
            switches.forEach((each, at) => each.setAttribute("aria-pressed", String(["move", "choose"][at] === mode)));
        };
        kit.element.into(line, "div", { class: "switches", role: "group", "aria-label": "Dragging" }, ...switches);
        const all = kit.element("input", { type: "checkbox", on: { change: () => it.showAll(all.checked) } });
        kit.element.into(line, "label", { class: "plumbing" }, all, " All threads");
    }

    /** The meaning of the colours. */
    function legend({ kit, raw }, box) {
        const list = kit.element.into(box, "ul", { class: "causes" });
        const has = new Set(raw.kinds);
        for (const [cause, words, isThere] of [
            ["locks", "waits for the lock", true],
            ["running", raw.everything ? "holds the lock" : "holds the lock (only holds that others waited for are kept)", true],
            ["either", "waits for another lock", has.has(KINDS.wait)],
            ["unknown", "holds another lock", has.has(KINDS.hold)],
            ["signals", "waits for an event", has.has(KINDS.event)],
            ["other", "in a call that may block while it holds", has.has(KINDS.blocked)],
            ["cpu", "without a CPU", has.has(KINDS.off) || has.has(KINDS.preempted)],
        ]) {
            if (isThere) {
                const item = kit.element.into(list, "li");
                kit.element.into(item, "i", { class: "swatch " + cause, "aria-hidden": "true" });
                kit.element.into(item, "span", { text: words });
            }
        }
    }

    /** What its elements do. */
    function behave(it) {
        const { kit, raw } = it;
        let asked = 0;
        it.draw = () => {
            asked = 0;
            if (it.width > 0 && it.lanes[0]) {
                locktoll.timeline.paint(it);
                it.map.paint();
            }
        };
        it.changed = () => {
            asked = asked || requestAnimationFrame(it.draw);
        };
        it.chooseLock = (lock) => {
            it.lock = lock;
            it.list.value = String(lock);
            it.picked = null;
            it.panel.replaceChildren();
            if (it.data) {
                it.lanes = locktoll.timeline.lanes(it.data, lock);
                it.tables.show(it.brush);
            }
            arrange(it);
        };
        it.showAll = (isAll) => {
            it.isAll = isAll;
            arrange(it);
        };
        it.choose = (from, to, isDone) => {
            it.brush = { from: Math.round(from), to: Math.round(to) };
            if (isDone && it.data) {
                it.tables.show(it.brush);
                it.status.textContent = "The tables show the time " + it.span(it.brush.from, it.brush.to) + ".";
            }
            it.changed();
        };
        it.clear = () => {
            it.brush = it.picked = null;
            it.panel.replaceChildren();
            it.status.textContent = "";
            if (it.data) {
                it.tables.show(null);
            }
            it.changed();
        };
        picking(it);
        it.room.addEventListener("scroll", () => {
            it.scrolled = it.room.scrollTop;
            it.changed();
        });
        kit.linked("timeline", (value, asks) => {
            const [from, to] = value.split("-").map(Number);
            it.whenRead(() => {
                if (asks.has("of") && raw.locks[Number(asks.get("of"))]) {
                    it.chooseLock(Number(asks.get("of")));
                }
                const room = Math.max(1000, (to - from) / 4);
                it.choose(from, to, true);
                locktoll.timeline.look(it, from - room, to + room);
                it.box.scrollIntoView({ block: "start" });
            });
        });
        locktoll.timeline.listen(it);
    }

    /** Which interval is shown in words, and how another one is chosen. */
    function picking(it) {
        const { kit } = it;
        it.pick = (interval) => {
            it.picked = interval;
            it.panel.replaceChildren();
            if (interval !== null) {
                locktoll.timeline.describe(it.panel, it, interval);
                it.status.textContent = locktoll.timeline.inWords(it, interval);
            }
            it.changed();
        };
        it.clicked = ({ x, y }, time) => {
            const row = Math.floor((y - SIZES.axis) / SIZES.row);
            if (!it.data || x < it.left || row < 0 || row >= it.view.rows.length) {
                return;
            }
            it.row = it.view.rows[row];
            const room = NEAR * it.view.step;
            it.pick(nearest(it, it.row, time - room, time + room));
        };
        it.pointed = (place) => {
            it.canvas.title = place && place.y < SIZES.axis ? "Drag to choose a time" : "";
        };
        it.walk = (way) => {
            const at = it.rows.indexOf(it.row);
            it.row = it.rows[Math.max(0, Math.min(it.rows.length - 1, at + way))];
            it.room.scrollTop = Math.max(Math.min(it.room.scrollTop, it.rows.indexOf(it.row) * SIZES.row), (it.rows.indexOf(it.row) + 1) * SIZES.row + SIZES.axis - it.height);
            it.status.textContent = it.names[it.row];
            it.changed();
        };
        it.step = (way) => stepTo(it, way);
    }

    /** The longest wait for the lock near a time, else hold of it, else the longest interval. */
    function nearest({ data, lock }, thread, from, to) {
        const all = locktoll.timeline.overlapping(data, thread, from, to, (at) => (data.kind[at] & 7) !== KINDS.signal);
        const rank = (at) => {
            const kind = data.kind[at] & 7;
            return data.lock[at] !== lock ? 0 : kind === KINDS.wait || kind === KINDS.event ? 2 : kind === KINDS.hold ? 1 : 0;
        };
        const better = (a, b) => rank(a) - rank(b) || data.end[a] - data.begin[a] - (data.end[b] - data.begin[b]);
        return all.length === 0 ? null : all.reduce((best, at) => (better(at, best) > 0 ? at : best));
    }

    /** The next wait of the chosen thread for the lock, or the previous one. With 0, the one in the middle of what is in sight. */
    function stepTo(it, way) {
        if (!it.data) {
            return;
        }
        it.row = it.row ?? it.rows[0];
        const lane = it.lanes[it.row].wait;
        const isHere = it.picked !== null && locktoll.timeline.threadOf(it.data, it.picked) === it.row;
        const middle = (it.view.from + it.view.to) / 2;
        const at = isHere ? lane.interval.subarray(0, lane.n).indexOf(it.picked) : locktoll.timeline.ending(lane, middle) - (way > 0 ? 1 : 0);
        const next = Math.max(0, Math.min(lane.n - 1, at + way));
        if (lane.n === 0) {
            it.status.textContent = it.names[it.row] + " did not wait for this lock.";
            return;
        }
        const interval = lane.interval[next];
        const { from, to } = it.view;
        if (it.data.begin[interval] < from || it.data.end[interval] > to) {
            const center = (it.data.begin[interval] + it.data.end[interval]) / 2;
            const length = Math.max(to - from, (it.data.end[interval] - it.data.begin[interval]) * 1.2);
            locktoll.timeline.look(it, center - length / 2, center + length / 2);
        }
        it.pick(interval);
    }

    /** The rows that are shown, the room for them, and the picture's description. */
    function arrange(it) {
        const { raw, lanes, kit } = it;
        const uses = (thread) => lanes[thread].wait.n > 0 || lanes[thread].hold.n > 0;
        it.rows = raw.threads.map((_, at) => at).filter((thread) => it.isAll || uses(thread));
        const total = SIZES.axis + Math.max(1, it.rows.length) * SIZES.row;
        it.height = Math.min(total, HIGHEST);
        it.room.style.maxHeight = HIGHEST + "px";
        it.spacer.style.height = total - it.height + "px";
        it.map.forget();
        it.canvas.setAttribute("aria-label", "Timeline of " + it.lockName(it.lock) + ": " + kit.counted(it.rows.length, "thread", "threads") + ", " + it.span(raw.from_ns, raw.to_ns) + ". The tables below have the same figures.");
        it.changed();
    }

    /** Adapts to the room and the colours, also on paper. */
    function adapt(it) {
        const measure = () => {
            const width = it.room.clientWidth;
            it.left = width < 620 ? LEFT[1] : LEFT[0];
            it.width = width;
            it.draw();
        };
        const recolour = () => {
            it.colours = locktoll.timeline.colours(it.kit);
            it.hatch = null;
            measure();
        };
        recolour();
        new ResizeObserver(() => it.room.clientWidth !== it.width && measure()).observe(it.room);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
        document.addEventListener("locktoll-print", recolour);
        document.addEventListener("locktoll-printed", recolour);
    }

    /** For tests and measurements: `cargo xtask timeline-page`. */
    function reached({ box }, state) {
        box.dataset.state = state;
        performance.mark("locktoll-timeline-" + state);
    }

    /** Draws an overview at once, and everything once it is read. */
    async function show(it) {
        const { raw, kit } = it;
        const waiting = [];
        it.whenRead = (action) => (it.data ? action() : waiting.push(action));
        try {
            it.lanes = locktoll.timeline.overviewLanes(raw, await locktoll.timeline.overview(raw));
            arrange(it);
            adapt(it);
            reached(it, "overview");
            it.data = await locktoll.timeline.read(raw, (part) => (it.status.textContent = "Reading events: " + kit.percent(part)));
            it.lanes = locktoll.timeline.lanes(it.data, it.lock);
            it.tables = locktoll.timeline.tables(it);
            it.status.textContent = "";
            arrange(it);
            it.draw();
            it.tables.show(null);
            reached(it, "read");
            waiting.forEach((action) => action());
        } catch (error) {
            console.error(error);
            it.status.textContent = "";
            kit.problem(it.box, "The timeline could not be drawn: " + kit.shown(error && error.message));
        }
    }
}
