"use strict";
// The page: reads the block of data and lets each document be drawn by the drawer of its schema.
//
// A drawer is a function, registered by the name of the schema it draws, in a file of its own that `assets.rs` lists:
//
//     locktoll.draw["locktoll.bench/1"] = function (doc, section, kit) { ... };
//
// `doc` is the document as it was written by `--json`, `section` an empty element of the page to fill, `kit` the functions listed below.
// A drawer begins with its own heading: `kit.title(section, text, subtitle)`. It leaves a document inside its own to that one's
// drawer: `kit.document(parent, doc)`.
//
// Texts come from programs that may mean harm: they go into the page by `textContent` (all of the kit does that) after
// `kit.shown`, never as markup. A figure that was not measured is `null` in a document and a dash on the page, never zero.
//
// answer.js    kit.answer, kit.doubts, kit.caveats, kit.contents, kit.go, kit.linked: see there. After its heading, a drawer gives its answer
//
// element.js   kit.element(name, attributes, ...children)     an element; `text`, `class` and `on` are its text, class and listeners
//              kit.shown(text), kit.cut(text, length)         a program's text, fit to be seen; shortened in its middle
//              kit.title(parent, text, subtitle)              the heading of a document
//              kit.heading(parent, text, note, short)         the heading of a part; `short` is its name in the list of parts
//              kit.subheading(parent, text)                   a heading inside of a part
//              kit.note(parent, text)                         a sentence of explanation; kit.problem: of warning
//              kit.facts(parent, [[term, text], ...])         terms with their values, side by side
//              kit.fold(parent, title, fill, {open})          a part that is filled when it is opened, or printed
//              kit.columns(parent)                            an element whose children stand side by side where there is room
// quantity.js  kit.duration(ns), kit.price(ns), kit.rate(number), kit.count(number), kit.share(part, whole),
//              kit.percent(fraction), kit.counted(number, one, many), kit.interval(estimate, format): as the terminal shows
//              them; `null` gives kit.dash
//              kit.median(estimate)                           the number of {median, low, high, n}, or of a bare number
// theme.js     kit.theme()                                    colours of the moment: text, faint, line, surface, series[],
//                                                             causes{}, heat[]; never the only carrier of a meaning
// chart.js     kit.chart(parent, {title, label, height, key, caption, renderer}, make)
//                                                             a chart under its title, with a `key` of its marks below and a
//                                                             `caption` that the mark next to the title opens; make(theme, width) gives an ECharts option and is
//                                                             called again when theme or width change. `label` is for screen
//                                                             readers. Returns {element, instance(), redraw()}
//              kit.nameRoom(names, width, most)               the room that an axis of names needs on the left
//              kit.tip(...lines)                              the contents of a tooltip, from texts: what a `formatter` returns
// table.js     kit.table(parent, {label, columns, rows, sort, filter, open, limit})
//                                                             a table that is sorted by its headers; see there
// flame.js     kit.flame(parent, {label, sides, format})       a tree of calls, with zoom and search; see there
// lengths.js   kit.histogram, kit.cumulative                  lengths of waits or holds from log2 counts

/** The root of all scripts of the page: `draw` holds drawers by schema, `kit` the functions that they draw with. */
const locktoll = { draw: {}, kit: {} };

/** Draws a document into a new section of `parent`. */
locktoll.kit.document = function (parent, doc) {
    const kit = locktoll.kit;
    const schema = String((doc && doc.schema) || "");
    const outer = parent.closest("[data-below]");
    const below = outer ? Number(outer.dataset.below) + 2 : 0;
    const section = kit.element("section", { class: "document", "data-schema": schema, "data-below": String(below) });
    parent.append(section);
    const known = Object.prototype.hasOwnProperty.call(locktoll.draw, schema);
    const draw = known ? locktoll.draw[schema] : undrawn;
    try {
        draw(doc, section, kit);
        if (!outer) {
            kit.contents(section);
        }
    } catch (error) {
        console.error(error);
        kit.problem(section, "This part could not be drawn: " + kit.shown(error && error.message));
    }
    return section;

    function undrawn() {
        kit.title(section, kit.shown(schema) || "A document without a schema");
        kit.note(section, "This version of locktoll cannot draw this document. Its data:");
        kit.element.into(section, "pre", { class: "raw", text: kit.cut(JSON.stringify(doc, null, 2), 20000) });
    }
};

document.addEventListener("DOMContentLoaded", () => {
    const page = document.getElementById("page");
    const documents = JSON.parse(document.getElementById("data").textContent);
    for (const doc of documents) {
        locktoll.kit.document(page, doc);
    }
    page.dataset.drawn = String(documents.length);
    document.dispatchEvent(new Event("locktoll-drawn"));
});
