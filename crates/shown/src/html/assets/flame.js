"use strict";
// The flame graph: time as a tree of calls, each call as wide as its share, with its callees below it.
//
//     kit.flame(parent, {label, sides: [{name, names, calls}], format})
//
// `calls` is a list of `[depth, number of its name, size, count, is it a lock]`, each before those it makes, the whole first.
// The names with numbers in `runtime` are of the language's runtime; their calls are hidden until they are asked for.
// Several sides are one shown at a time. A call is a button: a click fills the width with it, Escape or a click on the whole
// goes back; arrow keys walk. `format(size, count)` gives the amount of a call.
{
    const kit = locktoll.kit;
    /** In CSS pixels. */
    const LINE = 21;
    /** A call that takes less of the width is not drawn. */
    const NARROWEST = 0.0012;

    /** The same calls without those of the runtime, whose callees move up to their callers. */
    function withoutRuntime({ names, calls, runtime = [] }) {
        const hidden = new Set(runtime);
        const whole = { name: calls[0][1], size: calls[0][2], count: calls[0][3], isLock: 0, called: new Map() };
        const path = [whole];
        for (const [depth, name, size, count, isLock] of calls.slice(1)) {
            const parent = path[depth - 1];
            path.length = depth;
            if (hidden.has(name) && isLock !== 1) {
                path.push(parent);
                continue;
            }
            const key = name + " " + isLock;
            const call = parent.called.get(key) || { name, size: 0, count: 0, isLock, called: new Map() };
            call.size += size;
            call.count += count;
            parent.called.set(key, call);
            path.push(call);
        }
        // A list, as it came: a tree can be deeper than functions may call themselves.
        const list = [];
        for (const left = [[0, whole]]; left.length > 0; ) {
            const [depth, call] = left.pop();
            list.push([depth, call.name, call.size, call.count, call.isLock]);
            left.push(...[...call.called.values()].sort((a, b) => a.size - b.size).map((it) => [depth + 1, it]));
        }
        return { names, calls: list };
    }

    /** The list as a tree: where each call begins and ends, as parts of the whole, and its caller. */
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
        const element = kit.element.into(parent, "div", { class: "flame" });
        const it = { sides, trees: [], isPlumbingHidden: sides.some(({ runtime }) => runtime && runtime.length > 0), format, side: 0, zoomed: null, word: "", drawn: new Map() };
        plant(it);
        tools(element, it, sides);
        it.graph = kit.element.into(element, "div", { class: "flame-graph", role: "group", "aria-label": label });
        it.amount = kit.element.into(element, "p", { class: "amount" });
        it.graph.addEventListener("keydown", (event) => walk(it, event));
        it.graph.addEventListener("mouseleave", () => tell(it, it.zoomed));
        show(it, 0);
        return element;
    };

    function plant(it) {
        it.trees = it.sides.map((side) => tree(it.isPlumbingHidden ? withoutRuntime(side) : side));
        it.zoomed = it.trees[it.side][0];
    }

    /** The choice of a side, the search field, and the share of the calls that were found. */
    function tools(parent, it, sides) {
        const element = kit.element.into(parent, "div", { class: "table-tools" });
        it.switches = sides.map(({ name }, at) => kit.element("button", { type: "button", class: "switch", text: name, on: { click: () => show(it, at) } }));
        if (sides.length > 1) {
            kit.element.into(element, "div", { class: "switches", role: "group", "aria-label": "Whose calls" }, ...it.switches);
        }
        const field = kit.element("input", { type: "search", autocomplete: "off", spellcheck: "false", "aria-label": "Find calls in the flame graph", placeholder: "Find" });
        field.addEventListener("input", () => {
            it.word = field.value.trim().toLowerCase();
            mark(it);
        });
        element.append(field);
        if (it.isPlumbingHidden) {
            const box = kit.element("input", { type: "checkbox", checked: "" });
            box.addEventListener("change", () => {
                it.isPlumbingHidden = box.checked;
                plant(it);
                show(it, it.side);
            });
            kit.element.into(element, "label", { class: "plumbing" }, box, " Hide runtime frames");
        }
        it.status = kit.element.into(element, "span", { class: "status", role: "status" });
    }

    function show(it, at) {
        it.side = at;
        it.switches.forEach((button, other) => button.setAttribute("aria-pressed", String(other === at)));
        zoom(it, it.trees[at][0]);
    }

    function within(call, whole) {
        return call.begin >= whole.begin - 1e-12 && call.begin + call.width <= whole.begin + whole.width + 1e-12;
    }

    function zoom(it, call) {
        const { graph } = it;
        it.zoomed = call;
        const hadFocus = graph.contains(document.activeElement);
        graph.replaceChildren();
        it.drawn = new Map();
        const above = new Set();
        for (let each = call.parent; each; each = each.parent) {
            above.add(each);
        }
        let depth = 0;
        for (const each of it.trees[it.side]) {
            const isAbove = above.has(each);
            const isBelow = each.depth >= call.depth && within(each, call);
            const width = isAbove ? 1 : each.width / Math.max(call.width, Number.MIN_VALUE);
            if ((!isAbove && !isBelow) || width < NARROWEST) {
                continue;
            }
            const kind = each.isLock ? " lock" : each.parent ? " " + shade(each.name) : " whole";
            const button = kit.element.into(graph, "button", {
                type: "button",
                class: "call" + kind + (isAbove ? " above" : ""),
                text: each.name,
                tabindex: each === call ? "0" : "-1",
                "aria-label": each.name + ", " + amount(it, each),
                on: { click: () => zoom(it, each), mouseenter: () => tell(it, each), focus: () => tell(it, each) },
            });
            button.style.left = (isAbove ? 0 : ((each.begin - call.begin) / call.width) * 100) + "%";
            button.style.width = width * 100 + "%";
            button.style.top = each.depth * LINE + "px";
            it.drawn.set(each, button);
            depth = Math.max(depth, each.depth);
        }
        graph.style.height = (depth + 1) * LINE + "px";
        mark(it);
        tell(it, call);
        if (hadFocus) {
            it.drawn.get(call).focus();
        }
    }

    function amount({ trees, side, format }, call) {
        return kit.percent(call.size / Math.max(1, trees[side][0].size)) + ", " + format(call.size, call.count);
    }

    function tell(it, call) {
        it.amount.replaceChildren(kit.element("strong", { text: kit.cut(call.name, 300) }), ": " + amount(it, call));
    }

    /** Marks the calls that were found and shows their share: a call within a call that matches counts once. */
    function mark({ trees, side, word, drawn, status }) {
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

    function walk(it, event) {
        const { drawn } = it;
        const call = [...drawn].find(([, button]) => button === document.activeElement)?.[0];
        if (event.key === "Escape") {
            zoom(it, it.trees[it.side][0]);
        } else if (call) {
            const near = [...drawn.keys()].filter((each) => each.parent === call.parent);
            const at = near.indexOf(call);
            const next = {
                ArrowUp: () => call.parent,
                ArrowDown: () => [...drawn.keys()].find((each) => each.parent === call),
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
}
