"use strict";
// Tables that are sorted by their headers, filtered by a field above them, and whose rows open.
//
//     kit.table(parent, {
//         label: "Locks",                       // what is in it, for those who do not see it
//         columns: [{
//             title: "waited",                  // the header
//             note: "all waits together",       // what the header explains when pointed at
//             value: (row) => number | string | null,   // what the column is sorted by; null comes last either way
//             text: (row) => string,            // what is shown; without it the value, or a dash
//             left: true,                       // texts; figures stand to the right without it
//             share: (row) => 0 .. 1,           // a bar behind the figure
//             remark: (row) => string | null,   // said fainter behind the text
//         }],
//         rows: [...],
//         sort: {column: 1, descending: true},  // how it begins; the order of `rows` without it
//         filter: (row) => text,                // what the field searches; no field without it
//         open: (row, panel) => { ... },        // fills what a row opens to; rows do not open without it
//         opens: (row) => true,                 // whether this row opens; all do without it
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
        const { label, columns, rows, filter, open, limit = 100, rest, printed = 0 } = options;
        const opens = (row) => Boolean(open) && (!options.opens || options.opens(row));
        const name = "table-" + ++tables;
        const element = kit.element.into(parent, "div", { class: "table" });
        let sort = options.sort || null;
        let words = [];
        let lines = new Map();
        let room = limit;
        const panels = new Map();
        const texts = filter ? new Map(rows.map((row) => [row, filter(row).toLowerCase()])) : null;

        const tools = kit.element.into(element, "div", { class: "table-tools" });
        if (filter) {
            const field = kit.element("input", {
                type: "search",
                id: name + "-filter",
                autocomplete: "off",
                spellcheck: "false",
                on: {
                    input: () => {
                        words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
                        room = limit;
                        draw();
                    },
                },
            });
            tools.append(kit.element("label", { for: field.id, text: "Filter " + label.toLowerCase() }), field);
        }
        const status = kit.element.into(tools, "span", { class: "status", role: "status" });

        const scroll = kit.element.into(element, "div", { class: "table-scroll" });
        const table = kit.element.into(scroll, "table", { "aria-label": label });
        const heads = columns.map((column, at) => {
            const button = kit.element("button", {
                type: "button",
                title: column.note,
                "aria-describedby": column.note ? noteId(at) : null,
                on: { click: () => sortBy(at) },
            });
            button.append(column.title, kit.element("span", { class: "arrow", "aria-hidden": "true" }));
            return kit.element("th", { scope: "col", class: column.left ? "left" : null }, button);
        });
        kit.element.into(kit.element.into(table, "thead"), "tr", {}, ...heads);
        const body = kit.element.into(table, "tbody");
        const more = kit.element.into(element, "button", {
            type: "button",
            class: "more",
            on: {
                click: () => {
                    const first = ordered()[room];
                    room = Infinity;
                    draw();
                    focusOn(first);
                },
            },
        });
        explain();
        draw();
        let forPaper = [];
        document.addEventListener("locktoll-print", () => {
            if (element.isConnected) {
                forPaper = ordered().slice(0, printed).filter((row) => opens(row) && !panels.has(row));
                forPaper.forEach((row) => toggle(row, true));
            }
        });
        document.addEventListener("locktoll-printed", () => {
            forPaper.forEach((row) => toggle(row, false));
            forPaper = [];
        });
        return { element, openRow };

        function noteId(at) {
            return name + "-note-" + at;
        }

        /** What the headers mean, for those who cannot point at them. */
        function explain() {
            if (!columns.some((column) => column.note)) {
                return;
            }
            const notes = kit.element.into(element, "details", { class: "column-notes" });
            kit.element.into(notes, "summary", { text: "What the columns mean" });
            const list = kit.element.into(notes, "dl");
            for (const [at, column] of columns.entries()) {
                if (column.note) {
                    kit.element.into(list, "dt", { text: column.title });
                    kit.element.into(list, "dd", { id: noteId(at), text: column.note });
                }
            }
        }

        function openRow(row, isShown = false) {
            // It may be filtered out, or too far down.
            if (!ordered().slice(0, room).includes(row)) {
                words = [];
                room = Infinity;
                const field = tools.querySelector("input");
                if (field) {
                    field.value = "";
                }
                draw();
            }
            toggle(row, true);
            if (isShown) {
                lines.get(row).scrollIntoView({ block: "start" });
            }
        }

        /** The rows that match, in their order. */
        function ordered() {
            const found = rows.filter((row) => words.every((word) => texts.get(row).includes(word)));
            return sort ? sorted(found, columns[sort.column], sort.descending) : found;
        }

        /** A column is sorted by its largest first where it is of figures; asked again, the other way round. */
        function sortBy(at) {
            const again = sort && sort.column === at;
            sort = { column: at, descending: again ? !sort.descending : !columns[at].left };
            draw();
        }

        function draw() {
            const all = ordered();
            const shown = all.slice(0, room);
            heads.forEach((head, at) => {
                const way = sort && sort.column === at ? (sort.descending ? "descending" : "ascending") : "none";
                head.setAttribute("aria-sort", way);
                head.querySelector(".arrow").textContent = { descending: " \u25be", ascending: " \u25b4", none: "" }[way];
            });
            body.replaceChildren();
            lines = new Map(shown.map((row) => [row, line(row)]));
            for (const row of shown) {
                body.append(lines.get(row));
                if (panels.has(row)) {
                    body.append(panels.get(row));
                }
            }
            if (rest && words.length === 0) {
                body.append(restLine());
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

        function line(row) {
            const cells = columns.map((column, at) => cell(row, column, at));
            const tr = kit.element("tr", { class: opens(row) ? "opens" : null }, ...cells);
            if (opens(row)) {
                tr.addEventListener("click", (event) => {
                    // Whoever marks text does not mean to open.
                    if (!event.target.closest("button") && getSelection().isCollapsed) {
                        toggle(row);
                    }
                });
            }
            return tr;
        }

        function cell(row, column, at) {
            const value = column.value(row);
            const text = column.text ? column.text(row) : (value ?? kit.dash);
            const td = kit.element(at === 0 ? "th" : "td", { class: column.left ? "left" : null, scope: at === 0 ? "row" : null });
            if (at === 0 && opens(row)) {
                const opened = panels.has(row);
                const button = kit.element.into(td, "button", {
                    type: "button",
                    class: "opener",
                    "aria-expanded": String(opened),
                    on: { click: () => toggle(row) },
                });
                button.append(kit.element("span", { class: "marker", "aria-hidden": "true", text: opened ? "\u25be" : "\u25b8" }));
                button.append(kit.element("span", { class: "name", text }));
            } else {
                kit.element.into(td, "span", { text: String(text) });
            }
            const remark = column.remark && column.remark(row);
            if (remark) {
                kit.element.into(td, "span", { class: "remark", text: " " + remark });
            }
            const share = column.share && column.share(row);
            if (share >= 0.01) {
                td.classList.add("with-bar");
                const bar = kit.element.into(td, "i", { class: "bar", "aria-hidden": "true" });
                bar.style.width = Math.max(1, Math.min(100, share * 100)) + "%";
            }
            return td;
        }

        function restLine() {
            const cells = rest.map((text, at) => {
                const left = columns[at].left ? "left" : null;
                return kit.element(at === 0 ? "th" : "td", { class: left, scope: at === 0 ? "row" : null, text });
            });
            return kit.element("tr", { class: "rest" }, ...cells);
        }

        function toggle(row, wanted = !panels.has(row)) {
            const focused = document.activeElement && document.activeElement.closest(".opener") !== null;
            if (wanted && !panels.has(row)) {
                const td = kit.element("td", { colspan: String(columns.length) });
                const inner = kit.element.into(td, "div", { class: "panel" });
                panels.set(row, kit.element("tr", { class: "opened" }, td));
                draw();
                // Filled once it has its room, which charts need to know.
                open(row, inner);
            } else if (!wanted) {
                panels.delete(row);
                draw();
            }
            if (focused) {
                focusOn(row);
            }
        }

        /** Puts the keyboard on a row, which was drawn anew: on what opens it, else on its header. */
        function focusOn(row) {
            const line = lines.get(row);
            const opener = line?.querySelector(".opener");
            if (opener) {
                opener.focus();
            } else if (line) {
                line.firstElementChild.tabIndex = -1;
                line.firstElementChild.focus();
            }
        }
    };
}
