"use strict";
// The top of a page: its verdict, its caveats, and a list of its parts; and links to its rows.
//
//     kit.answer(section, {figure, of, tone, said})   the verdict: a figure, large, the figure's meaning, and a sentence. `said` is a list
//                                                      of texts and of elements, for example of `kit.go`
//     kit.caveats(section, texts)                      warnings, folded into one badge that opens
//     kit.doubts(section, doc, more)                   the caveats that every result can have, and these
//     kit.contents(section)                            links to its parts, which stay in sight, where there are many
//     kit.go(text, values, place)                      a link within the page: `kit.go("log_lock", {lock: "log_lock"})`
//     kit.linked(key, open)                            calls `open(value, all)` when the address asks for `#key=value`
{
    const kit = locktoll.kit;

    /** Fewer parts than these are found without a list of them. */
    const PARTS = 3;

    kit.answer = function (section, { figure, of, tone, said }) {
        const answer = kit.element.into(section, "div", { class: "answer" + (tone ? " " + tone : "") });
        if (figure) {
            const figures = kit.element.into(answer, "p", { class: "figure" });
            kit.element.into(figures, "strong", { class: figure.length > 7 ? "long" : null, text: figure });
            kit.element.into(figures, "span", { text: of });
        }
        const words = kit.element.into(answer, "div", { class: "said-first" });
        for (const sentence of said.length === 0 || Array.isArray(said[0]) ? said : [said]) {
            kit.element.into(words, "p", {}, ...sentence);
        }
        return answer;
    };

    kit.caveats = function (section, texts) {
        if (texts.length === 0) {
            return;
        }
        const details = kit.element.into(section, "details", { class: "fold caveats" });
        details.fillNow = () => (details.open = true);
        kit.element.into(details, "summary", { text: kit.counted(texts.length, "caveat", "caveats") });
        const list = kit.element.into(details, "ul");
        for (const text of texts) {
            kit.element.into(list, "li", {}, ...kit.prose(text));
        }
    };

    kit.doubts = function (section, { partial, noise, warnings }, more = []) {
        if (partial) {
            kit.problem(section, "Partial: the run ended before everything was measured. The page shows the figures that existed by then.");
        }
        kit.caveats(section, [...((noise && noise.warnings) || []), ...(warnings || []), ...more].map((text) => sentence(kit.shown(text))));
    };

    const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

    let parts = 0;

    kit.contents = function (section) {
        const headings = [...section.querySelectorAll(".rank-2, .part-title")].filter((it) => it.closest(".document") === section);
        if (headings.length < PARTS) {
            return;
        }
        const list = kit.element("nav", { class: "page-contents", "aria-label": "On this page" });
        for (const heading of headings) {
            heading.id = heading.id || "heading-" + ++parts;
            kit.element.into(list, "a", { href: "#" + heading.id, text: heading.dataset.short || heading.textContent });
        }
        const first = section.querySelector(".caveats") || section.querySelector(".answer") || section.querySelector(".title");
        first.after(list);
        mark(list, headings);
    };

    /** Marks the part that is being read. */
    function mark(list, headings) {
        const seen = new IntersectionObserver(
            () => {
                const now = headings.map(({ id }) => document.getElementById(id));
                const at = now.findLastIndex((it) => it && it.getBoundingClientRect().top < innerHeight / 3);
                [...list.children].forEach((link, other) => link.toggleAttribute("data-here", other === at));
            },
            { rootMargin: "0px 0px -66% 0px" },
        );
        headings.forEach((it) => seen.observe(it));
    }

    const address = (values) => "#" + new URLSearchParams(values);
    const openers = [];

    kit.go = function (text, values) {
        const link = kit.element("a", { href: address(values), text });
        // The address may be the same already; then nothing else would happen.
        link.addEventListener("click", () => {
            if (location.hash === link.hash) {
                follow();
            }
        });
        return link;
    };

    kit.linked = function (key, open) {
        openers.push({ key, open });
    };

    /** A link to a row, which a click copies. */
    kit.linkTo = function (parent, values) {
        const link = kit.element.into(parent, "a", { class: "link-here", href: address(values), text: "Copy link to this row" });
        link.addEventListener("click", async () => {
            try {
                await navigator.clipboard.writeText(location.href.split("#")[0] + link.hash);
                link.textContent = "Link copied";
            } catch {
                link.textContent = "The link is in the address bar";
            }
        });
    };

    function follow() {
        const asked = new URLSearchParams(location.hash.slice(1));
        for (const { key, open } of openers) {
            if (asked.has(key)) {
                open(asked.get(key), asked);
            }
        }
    }

    addEventListener("hashchange", follow);
    document.addEventListener("locktoll-drawn", follow);
}
