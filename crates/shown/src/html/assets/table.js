"use strict";
// Tables that are sorted by their headers, filtered by a field above them, and whose rows open.
//
//     kit.table(parent, {
//         label: "Locks",                       // what is in it, for screen readers
//         columns: [{
//             title: "waited",                  // the header
//             note: "all waits together",       // an explanation, shown when the header is pointed at
//             value: (row) => number | string | null,   // the column is sorted by it; null comes last either way
//             text: (row) => string,            // the text that is shown; without it the value, or a dash
//             left: true,                       // for texts; figures are at the right without it
//             share: (row) => 0 .. 1,           // a bar before the figure; `null` for none
//             remark: (row) => string | null,   // shown fainter behind the text
//         }],
//         rows: [...],
//         sort: {column: 1, descending: true},  // how it begins; the order of `rows` without it
//         filter: (row) => text,                // the text that the field searches; no field without it
//         open: (row, panel) => { ... },        // fills the panel of an opened row; rows do not open without it
//         opens: (row) => true,                 // whether this row opens; all do without it
//         link: {key: "lock", of: (row) => text, also: (row) => text},    // rows are opened by `#lock=TEXT`, and link to that
//         printed: 5,                           // rows that are open on paper
//         limit: 100,                           // rows shown until more are asked for
//         rest: ["... 12 more", "1.2 s", ...],  // a last row that is neither sorted nor filtered: cells by column
//     })
//
// Notes are listed below the table, too. The first column is the header of its row. Returns {element, openRow(row, isShown)}, which scrolls to it if `isShown`.
{
    const kit = locktoll.kit;
    let tables = 0;

    function compare(a, b) {
        return typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
    }

    function sorted(rows, column, descending) {
        const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);
        const keyed = rows.map((row) => [column.value(row), row]);
        const way = descending ? -1 : 1;
        // `sort` is stable, so equals keep the order they came in.
        return [
            ...keyed.filter(([value]) => known(value)).sort(([a], [b]) => way * compare(a, b)),
            ...keyed.filter(([value]) => !known(value)),
        ].map(([, row]) => row);
    }

    kit.table = function (parent, options) {
        const { filter, rows, limit = 100, sort = null, open } = options;
        const it = {
            ...options,
            name: "table-" + ++tables,
            element: kit.element.into(parent, "div", { class: "table" }),
            opens: (row) => Boolean(open) && (!options.opens || options.opens(row)),
            sort,
            limit,
            room: limit,
            words: [],
            lines: new Map(),
            panels: new Map(),
            texts: filter ? new Map(rows.map((row) => [row, filter(row).toLowerCase()])) : null,
        };
        tools(it);
        frame(it);
        explain(it);
        draw(it);
        print(it);
        if (it.link) {
            kit.linked(it.link.key, (value, asked) => {
                const row = rows.find((row) => it.link.of(row) === value) || rows.find((row) => it.link.also && it.link.also(row) === value);
                if (row) {
                    openRow(it, row, true);
                    it.panels.get(row)?.querySelector('[data-part="' + CSS.escape(asked.get("part") || "") + '"]')?.scrollIntoView({ block: "start" });
                }
            });
        }
        return { element: it.element, openRow: (row, isShown) => openRow(it, row, isShown) };
    };

    /** The field above the table, and how many rows match it. */
    function tools(it) {
        const element = kit.element.into(it.element, "div", { class: "table-tools" });
        if (it.filter) {
            it.field = kit.element("input", {
                type: "search",
                id: it.name + "-filter",
                autocomplete: "off",
                spellcheck: "false",
                on: {
                    input: () => {
                        it.words = it.field.value.toLowerCase().split(/\s+/).filter(Boolean);
                        it.room = it.limit;
                        draw(it);
                    },
                },
            });
            element.append(kit.element("label", { for: it.field.id, text: "Filter " + it.label.toLowerCase() }), it.field);
        }
        it.status = kit.element.into(element, "span", { class: "status", role: "status" });
    }

    /** The headers, the place for the rows, and the button below them. */
    function frame(it) {
        const scroll = kit.element.into(it.element, "div", { class: "table-scroll" });
        const table = kit.element.into(scroll, "table", { "aria-label": it.label });
        it.heads = it.columns.map((column, at) => {
            const button = kit.element("button", {
                type: "button",
                title: column.note,
                "aria-describedby": column.note ? noteId(it, at) : null,
                on: { click: () => sortBy(it, at) },
            });
            button.append(column.title, kit.element("span", { class: "arrow", "aria-hidden": "true" }));
            return kit.element("th", { scope: "col", class: column.left || at === 0 ? "left" : null }, button);
        });
        kit.element.into(kit.element.into(table, "thead"), "tr", {}, ...it.heads);
        it.body = kit.element.into(table, "tbody");
        it.more = kit.element.into(it.element, "button", {
            type: "button",
            class: "more",
            on: {
                click: () => {
                    const first = ordered(it)[it.room];
                    it.room = Infinity;
                    draw(it);
                    focusOn(it, first);
                },
            },
        });
    }

    /** Opens rows for a printer, and closes them again. */
    function print(it) {
        let forPaper = [];
        document.addEventListener("locktoll-print", () => {
            if (it.element.isConnected) {
                const first = ordered(it).slice(0, it.printed ?? 0);
                forPaper = first.filter((row) => it.opens(row) && !it.panels.has(row));
                forPaper.forEach((row) => toggle(it, row, true));
            }
        });
        document.addEventListener("locktoll-printed", () => {
            forPaper.forEach((row) => toggle(it, row, false));
            forPaper = [];
        });
    }

    function noteId(it, at) {
        return it.name + "-note-" + at;
    }

    /** The notes of the headers, for readers who cannot point at them. */
    function explain(it) {
        if (!it.columns.some((column) => column.note)) {
            return;
        }
        const notes = kit.element.into(it.element, "details", { class: "column-notes" });
        kit.element.into(notes, "summary", { text: "What the columns mean" });
        const list = kit.element.into(notes, "dl");
        for (const [at, column] of it.columns.entries()) {
            if (column.note) {
                kit.element.into(list, "dt", { text: column.title });
                kit.element.into(list, "dd", { id: noteId(it, at), text: column.note });
            }
        }
    }

    function openRow(it, row, isShown = false) {
        // It may be filtered out, or too far down.
        if (!ordered(it).slice(0, it.room).includes(row)) {
            it.words = [];
            it.room = Infinity;
            if (it.field) {
                it.field.value = "";
            }
            draw(it);
        }
        if (it.opens(row)) {
            toggle(it, row, true);
        }
        if (isShown) {
            it.lines.get(row).scrollIntoView({ block: "start" });
        }
    }

    /** The rows that match, in their order. */
    function ordered({ rows, words, texts, sort, columns }) {
        const found = rows.filter((row) => words.every((word) => texts.get(row).includes(word)));
        return sort ? sorted(found, columns[sort.column], sort.descending) : found;
    }

    /** A column is sorted by its largest first where it is of figures; asked again, the other way round. */
    function sortBy(it, at) {
        const again = it.sort && it.sort.column === at;
        it.sort = { column: at, descending: again ? !it.sort.descending : !it.columns[at].left };
        draw(it);
    }

    function draw(it) {
        const { rows, columns, words, panels, rest, body, more, status } = it;
        const all = ordered(it);
        const shown = all.slice(0, it.room);
        arrows(it);
        body.replaceChildren();
        it.lines = new Map(shown.map((row) => [row, line(it, row)]));
        for (const row of shown) {
            body.append(it.lines.get(row));
            if (panels.has(row)) {
                body.append(panels.get(row));
            }
        }
        if (rest && words.length === 0) {
            body.append(restLine(it));
        }
        if (shown.length === 0 && !rest) {
            const none = kit.element("td", { colspan: String(columns.length), class: "left", text: "nothing matches" });
            body.append(kit.element("tr", {}, none));
        }
        const hidden = all.length - shown.length;
        more.hidden = hidden === 0;
        more.textContent = "Show " + kit.counted(hidden, "more row", "more rows");
        status.textContent = words.length > 0 ? kit.count(all.length) + " of " + kit.count(rows.length) : "";
    }

    function arrows({ heads, sort }) {
        heads.forEach((head, at) => {
            const way = sort && sort.column === at ? (sort.descending ? "descending" : "ascending") : "none";
            head.setAttribute("aria-sort", way);
            head.querySelector(".arrow").textContent = { descending: " \u25be", ascending: " \u25b4", none: "" }[way];
        });
    }

    function line(it, row) {
        const cells = it.columns.map((column, at) => cell(it, row, column, at));
        const tr = kit.element("tr", { class: it.opens(row) ? "opens" : null }, ...cells);
        if (it.opens(row)) {
            tr.addEventListener("click", (event) => {
                // A reader who selects text does not mean to open the row.
                if (!event.target.closest("button") && getSelection().isCollapsed) {
                    toggle(it, row);
                }
            });
        }
        return tr;
    }

    function cell(it, row, column, at) {
        const value = column.value(row);
        const text = column.text ? column.text(row) : (value ?? kit.dash);
        const td = kit.element(at === 0 ? "th" : "td", { class: column.left ? "left" : null, scope: at === 0 ? "row" : null });
        if (at === 0 && it.opens(row)) {
            td.append(opener(it, row, text));
        } else {
            kit.element.into(td, "span", { text: String(text) });
        }
        const remark = column.remark && column.remark(row);
        if (remark) {
            kit.element.into(td, "span", { class: "remark", text: " " + remark });
        }
        const share = column.share && column.share(row);
        if (typeof share === "number") {
            td.classList.add("with-meter");
            const meter = kit.element("i", { class: "meter", "aria-hidden": "true" });
            kit.element.into(meter, "i").style.width = Math.min(100, share * 100) + "%";
            td.prepend(meter);
        }
        return td;
    }

    /** The button that opens a row. */
    function opener(it, row, text) {
        const opened = it.panels.has(row);
        const button = kit.element("button", {
            type: "button",
            class: "opener",
            "aria-expanded": String(opened),
            on: { click: () => toggle(it, row) },
        });
        button.append(kit.element("span", { class: "marker", "aria-hidden": "true", text: opened ? "\u25be" : "\u25b8" }));
        button.append(kit.element("span", { class: "name", text }));
        return button;
    }

    function restLine({ rest, columns }) {
        const cells = rest.map((text, at) => {
            const left = columns[at].left ? "left" : null;
            return kit.element(at === 0 ? "th" : "td", { class: left, scope: at === 0 ? "row" : null, text });
        });
        return kit.element("tr", { class: "rest" }, ...cells);
    }

    function toggle(it, row, wanted = !it.panels.has(row)) {
        const focused = document.activeElement && document.activeElement.closest(".opener") !== null;
        if (wanted && !it.panels.has(row)) {
            const td = kit.element("td", { colspan: String(it.columns.length) });
            const inner = kit.element.into(td, "div", { class: "panel" });
            it.panels.set(row, kit.element("tr", { class: "opened" }, td));
            draw(it);
            // Filled once it has its room, which charts need to know.
            it.open(row, inner);
            if (it.link) {
                kit.linkTo(inner, { [it.link.key]: it.link.of(row) });
            }
        } else if (!wanted) {
            it.panels.delete(row);
            draw(it);
        }
        if (focused) {
            focusOn(it, row);
        }
    }

    /** Puts the keyboard on a row, which was drawn anew: on its opener, else on its header. */
    function focusOn(it, row) {
        const line = it.lines.get(row);
        const opener = line?.querySelector(".opener");
        if (opener) {
            opener.focus();
        } else if (line) {
            line.firstElementChild.tabIndex = -1;
            line.firstElementChild.focus();
        }
    }
}
