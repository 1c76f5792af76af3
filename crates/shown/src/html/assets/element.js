"use strict";
// Elements from texts, and the page's recurring parts.
{
    const kit = locktoll.kit;

    /** Longer texts are of no use to a reader. */
    const LONGEST = 2000;

    /**
     * An element. `text` becomes its text, `class` its class, `on` its listeners by event, everything else an attribute
     * unless it is `null`.
     */
    kit.element = function (name, attributes = {}, ...children) {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) {
            if (value === null || value === undefined) {
                continue;
            } else if (key === "text") {
                element.textContent = value;
            } else if (key === "class") {
                element.className = value;
            } else if (key === "on") {
                for (const [event, listener] of Object.entries(value)) {
                    element.addEventListener(event, listener);
                }
            } else {
                element.setAttribute(key, value);
            }
        }
        element.append(...children);
        return element;
    };

    /** The same, appended to `parent`. */
    kit.element.into = function (parent, name, attributes, ...children) {
        const element = kit.element(name, attributes, ...children);
        parent.append(element);
        return element;
    };

    /**
     * A program's text, fit to be seen: characters that steer a display (controls, and those that reorder or hide text) are
     * written out, as the terminal's page does.
     */
    kit.shown = function (text) {
        const short = kit.cut(String(text ?? ""), LONGEST);
        return short.replace(
            /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu,
            (character) => "\\u{" + character.codePointAt(0).toString(16) + "}",
        );
    };

    /** The text, no longer than `length`, shortened in its middle. */
    kit.cut = function (text, length) {
        if (text.length <= length) {
            return text;
        }
        const head = Math.ceil((length - 1) / 2);
        const cut = text.slice(0, head) + "\u2026" + text.slice(text.length - (length - 1 - head));
        return cut.toWellFormed ? cut.toWellFormed() : cut;
    };

    /** A sentence as texts and elements: a flag stays on one line. */
    kit.prose = (text) => text.split(/(?<![\w-])(--[a-z][a-z-]+(?: [A-Z0-9]\w*)?)/).map((part, at) => (at % 2 === 1 ? kit.element("span", { class: "flag", text: part }) : part));

    /**
     * A heading of rank 1, 2 or 3 within its document. Inside of another document it is a heading further down, below that
     * one's parts (rank 2), and still looks like its rank.
     */
    function ranked(parent, rank, text) {
        const document = parent.closest("[data-below]");
        const level = Math.min(6, rank + (document ? Number(document.dataset.below) : 0));
        return kit.element.into(parent, "h" + level, { class: "rank-" + rank, text });
    }

    kit.title = function (parent, text, subtitle) {
        const header = kit.element.into(parent, "header", { class: "title" });
        ranked(header, 1, text);
        if (subtitle) {
            kit.element.into(header, "p", { class: "subtitle", text: subtitle });
        }
        return header;
    };

    kit.heading = function (parent, text, note, short) {
        const heading = ranked(parent, 2, text);
        if (short) {
            heading.dataset.short = short;
            // The same each time, for a part that is drawn anew.
            const id = "about-" + short.toLowerCase().replace(/[^a-z0-9]+/g, "-");
            if (!document.getElementById(id)) {
                heading.id = id;
            }
        }
        if (note) {
            kit.note(parent, note);
        }
    };

    kit.subheading = function (parent, text) {
        return ranked(parent, 3, text);
    };

    kit.note = function (parent, text) {
        return kit.element.into(parent, "p", { class: "note" }, ...kit.prose(text));
    };

    kit.problem = function (parent, text) {
        return kit.element.into(parent, "p", { class: "problem", role: "note" }, ...kit.prose(text));
    };

    kit.facts = function (parent, facts) {
        const list = kit.element.into(parent, "dl", { class: "facts" });
        for (const [term, text, remark] of facts) {
            const fact = kit.element.into(list, "div");
            kit.element.into(fact, "dt", { text: term });
            kit.element.into(fact, "dd", { text });
            if (remark) {
                kit.element.into(fact, "dd", { class: "remark", text: remark });
            }
        }
        return list;
    };

    kit.fold = function (parent, title, fill, { open = false } = {}) {
        const details = kit.element.into(parent, "details", { class: "fold" });
        kit.element.into(details, "summary", { text: title });
        const body = kit.element.into(details, "div", { class: "fold-body" });
        let filled = false;
        const opened = () => {
            if (details.open && !filled) {
                filled = true;
                fill(body);
            }
        };
        // The event comes later than a printer would wait for.
        details.fillNow = () => {
            details.open = true;
            opened();
        };
        details.addEventListener("toggle", opened);
        if (open) {
            details.fillNow();
        }
        return details;
    };

    kit.columns = function (parent) {
        return kit.element.into(parent, "div", { class: "columns" });
    };
}
