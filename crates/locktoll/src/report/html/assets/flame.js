"use strict";
// The flame graph: time as a tree of calls, each call as wide as its share, what it called below it.
//
//     kit.flame(parent, {label, sides: [{name, names, calls}], format})
//
// `calls` is a list of `[depth, number of its name, size, count, is it a lock]`, each before those it makes, the whole first.
// Several sides are one shown at a time. A call is a button: a click fills the width with it, Escape or a click on the whole
// goes back; arrow keys walk. `format(size, count)` says how much a call is.
{
    const kit = locktoll.kit;
    /** In CSS pixels. */
    const LINE = 21;
    /** A call that takes less of the width is not drawn. */
    const NARROWEST = 0.0012;

    /** The list as a tree: where each call begins and ends, as parts of the whole, and what it is called by. */
    function tree({ names, calls }) {
        const whole = Math.max(1, calls[0][2]);
        const path = [];
        return calls.map(([depth, name, size, count, isLock], at) => {
            path.length = depth;
            const parent = depth > 0 ? path[depth - 1] : null;
            const begin = parent ? parent.filled : 0;
            const call = { at, depth, name: kit.shown(names[name]), size, count, isLock: isLock === 1, parent, begin, filled: begin, width: size / whole };
            if (parent) {
                parent.filled += call.width;
            }
            path.push(call);
            return call;
        });
    }

    /** One of four shades, always the same for a name. */
    function shade(name) {
        let sum = 0;
        for (let at = 0; at < name.length; at++) {
            sum = (sum * 31 + name.charCodeAt(at)) % 9973;
        }
        return "shade-" + ((sum % 4) + 1);
    }

    kit.flame = function (parent, { label, sides, format }) {
        const trees = sides.map(tree);
        const element = kit.element.into(parent, "div", { class: "flame" });
        const tools = kit.element.into(element, "div", { class: "table-tools" });
        let side = 0;
        let zoomed = trees[0][0];
        let word = "";
        const switches = sides.map(({ name }, at) => {
            const button = kit.element("button", { type: "button", class: "switch", text: name, on: { click: () => show(at) } });
            return button;
        });
        if (sides.length > 1) {
            kit.element.into(tools, "div", { class: "switches", role: "group", "aria-label": "Whose calls" }, ...switches);
        }
        const field = kit.element("input", { type: "search", autocomplete: "off", spellcheck: "false", "aria-label": "Find calls in the flame graph", placeholder: "Find" });
        field.addEventListener("input", () => {
            word = field.value.trim().toLowerCase();
            mark();
        });
        tools.append(field);
        const status = kit.element.into(tools, "span", { class: "status", role: "status" });
        const graph = kit.element.into(element, "div", { class: "flame-graph", role: "group", "aria-label": label });
        const told = kit.element.into(element, "p", { class: "told" });
        let drawn = new Map();
        graph.addEventListener("keydown", walk);
        graph.addEventListener("mouseleave", () => tell(zoomed));
        show(0);
        return element;

        function show(at) {
            side = at;
            switches.forEach((button, other) => button.setAttribute("aria-pressed", String(other === at)));
            zoom(trees[at][0]);
        }

        function within(call, whole) {
            return call.begin >= whole.begin - 1e-12 && call.begin + call.width <= whole.begin + whole.width + 1e-12;
        }

        function zoom(call) {
            zoomed = call;
            const hadFocus = graph.contains(document.activeElement);
            graph.replaceChildren();
            drawn = new Map();
            const above = new Set();
            for (let it = call.parent; it; it = it.parent) {
                above.add(it);
            }
            let depth = 0;
            for (const it of trees[side]) {
                const isAbove = above.has(it);
                const isBelow = it.depth >= call.depth && within(it, call);
                const width = isAbove ? 1 : it.width / Math.max(call.width, Number.MIN_VALUE);
                if ((!isAbove && !isBelow) || width < NARROWEST) {
                    continue;
                }
                const kind = it.isLock ? " lock" : it.parent ? " " + shade(it.name) : " whole";
                const button = kit.element.into(graph, "button", {
                    type: "button",
                    class: "call" + kind + (isAbove ? " above" : ""),
                    text: it.name,
                    tabindex: it === call ? "0" : "-1",
                    "aria-label": it.name + ", " + amount(it),
                    on: { click: () => zoom(it), mouseenter: () => tell(it), focus: () => tell(it) },
                });
                button.style.left = (isAbove ? 0 : ((it.begin - call.begin) / call.width) * 100) + "%";
                button.style.width = width * 100 + "%";
                button.style.top = it.depth * LINE + "px";
                drawn.set(it, button);
                depth = Math.max(depth, it.depth);
            }
            graph.style.height = (depth + 1) * LINE + "px";
            mark();
            tell(call);
            if (hadFocus) {
                drawn.get(call).focus();
            }
        }

        function amount(call) {
            return kit.percent(call.size / Math.max(1, trees[side][0].size)) + ", " + format(call.size, call.count);
        }

        function tell(call) {
            told.replaceChildren(kit.element("strong", { text: kit.cut(call.name, 300) }), ": " + amount(call));
        }

        /** Marks what was searched for, and says how much of all it is: a call within a call that matches counts once. */
        function mark() {
            let size = 0;
            let counted = null;
            for (const call of trees[side]) {
                const matches = word !== "" && call.name.toLowerCase().includes(word);
                const button = drawn.get(call);
                if (button) {
                    button.classList.toggle("found", matches);
                    button.classList.toggle("not-found", word !== "" && !matches);
                }
                if (matches && !(counted && call.depth > counted.depth && within(call, counted))) {
                    counted = call;
                    size += call.size;
                }
            }
            status.textContent = word === "" ? "" : kit.percent(size / Math.max(1, trees[side][0].size)) + " of all waiting";
        }

        function walk(event) {
            const call = [...drawn].find(([, button]) => button === document.activeElement)?.[0];
            if (event.key === "Escape") {
                zoom(trees[side][0]);
            } else if (call) {
                const near = [...drawn.keys()].filter((it) => it.parent === call.parent);
                const at = near.indexOf(call);
                const next = {
                    ArrowUp: () => call.parent,
                    ArrowDown: () => [...drawn.keys()].find((it) => it.parent === call),
                    ArrowLeft: () => near[at - 1],
                    ArrowRight: () => near[at + 1],
                }[event.key];
                if (!next) {
                    return;
                }
                const button = drawn.get(next());
                if (button) {
                    button.focus();
                }
            } else {
                return;
            }
            event.preventDefault();
        }
    };
}
