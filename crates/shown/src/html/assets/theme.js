"use strict";
// The colours of the moment, from the style sheet, which knows light from dark.
{
    const kit = locktoll.kit;

    kit.theme = function () {
        const style = getComputedStyle(document.documentElement);
        const of = (name) => style.getPropertyValue("--" + name).trim();
        const list = (name, length) => Array.from({ length }, (_, at) => of(name + "-" + (at + 1)));
        return {
            dark: of("dark") === "1",
            text: of("text"),
            faint: of("faint"),
            line: of("line"),
            grid: of("grid"),
            surface: of("surface"),
            accent: of("accent"),
            /** For things of equal rank; readers with colour blindness can distinguish them, too (Okabe and Ito). */
            series: list("series", 8),
            /** From nothing to much. */
            heat: list("heat", 5),
            /** For the causes of time. */
            causes: {
                running: of("running"),
                locks: of("locks"),
                signals: of("signals"),
                spinning: of("spinning"),
                other: of("other"),
                cpu: of("cpu"),
                unknown: of("unknown"),
                either: of("either"),
            },
            /** For text on these. */
            onCauses: {
                running: of("on-running"),
                locks: of("on-locks"),
                signals: of("on-signals"),
                spinning: of("on-signals"),
                other: of("on-other"),
                cpu: of("on-cpu"),
                unknown: of("on-unknown"),
                either: of("on-unknown"),
            },
            /** For verdicts; the word is next to the mark. */
            good: of("good"),
            bad: of("bad"),
            neutral: of("neutral"),
        };
    };
}
