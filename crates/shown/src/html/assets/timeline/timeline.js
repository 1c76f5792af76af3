"use strict";
// The timeline of a profile: its parts, and what happens in them.
{
    const { SIZES } = locktoll.timeline;

    /** The most rows that are in sight at once, pixels. */
    const HIGHEST = 440;
    /** The widest column of names, and that of a phone, pixels. */
    const LEFT = [168, 84];

    const KEYS = [
        "Keys: the left and right arrows move the view, + and \u2212 zoom, and 0 shows everything. The up and down arrows choose a thread, and n and p go to its next and previous wait. i chooses the time in sight, and Escape ends the choice.",
        "Mouse: the wheel zooms, and dragging moves the view. Dragging with Shift, or on the axis, chooses a time; the tables then have the figures of that time. A click explains a wait. On a touch screen, two fingers zoom.",
        "Each column of a row is a stretch of time. The heights of its colours show how much of that time the thread waited, and how much it held locks. Closer up, an arrow leads from the thread that released the lock to the thread that got it.",
    ];

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
        locktoll.timeline.findings(it);
        const box = kit.element.into(section, "div", { class: "timeline", "data-state": "reading" });
        it.box = box;
        // For tests, and for a look from the console.
        box.timeline = it;
        locktoll.timeline.tools(it, box);
        locktoll.timeline.legend(it, box);
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
        const help = kit.element.into(box, "details", { class: "column-notes" });
        kit.element.into(help, "summary", { text: "How to read it, keys and gestures" });
        const list = kit.element.into(help, "ul", { id: "timeline-keys" });
        KEYS.forEach((text) => kit.element.into(list, "li", { text }));
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
                it.say("The tables show the time " + it.span(it.brush.from, it.brush.to) + ".");
            }
            it.changed();
        };
        it.say = (text, isOnPage = false) => {
            it.status.textContent = text;
            it.status.classList.toggle("unseen", isOnPage);
        };
        it.clear = () => {
            it.brush = it.picked = null;
            it.panel.replaceChildren();
            it.say("");
            if (it.data) {
                it.tables.show(null);
            }
            it.changed();
        };
        locktoll.timeline.picking(it);
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
            it.map.forget();
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
            if (!window.DecompressionStream) {
                throw new Error("this browser cannot read compressed data");
            }
            it.lanes = locktoll.timeline.overviewLanes(raw, await locktoll.timeline.overview(raw));
            arrange(it);
            adapt(it);
            reached(it, "overview");
            it.data = await locktoll.timeline.read(raw, (part) => it.say("Reading events: " + kit.percent(part)));
            it.lanes = locktoll.timeline.lanes(it.data, it.lock);
            it.tables = locktoll.timeline.tables(it);
            it.say("");
            arrange(it);
            it.draw();
            it.tables.show(null);
            reached(it, "read");
            waiting.forEach((action) => action());
        } catch (error) {
            console.error(error);
            it.say("");
            kit.problem(it.box, "The timeline could not be drawn: " + kit.shown(error && error.message));
            plain(it);
        }
    }

    /** The tables of a browser that cannot draw it. */
    function plain({ raw, section, kit }) {
        for (const { label, columns, rows } of raw.tables) {
            kit.subheading(section, label);
            kit.table(section, { label, columns: columns.map((title, at) => ({ title, left: true, value: (row) => kit.shown(row[at]) })), rows, limit: 20 });
        }
    }
}
