"use strict";
// Charts: ECharts in the page's colours, redrawn when colours or the room change, and for the printer.
{
    const kit = locktoll.kit;

    /** Every chart on the page. */
    const charts = new Set();

    /** The width of a printed page in CSS pixels, less its margins. */
    const PRINTED = 680;

    /** The options that all charts share. */
    function base(theme, label) {
        return {
            animation: false,
            backgroundColor: "transparent",
            color: theme.series,
            textStyle: { color: theme.text, fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 12 },
            aria: { enabled: true, label: { description: label } },
        };
    }

    function axis(theme) {
        return {
            axisLine: { lineStyle: { color: theme.line } },
            axisTick: { lineStyle: { color: theme.line } },
            axisLabel: { color: theme.faint },
            nameTextStyle: { color: theme.faint },
            splitLine: { lineStyle: { color: theme.grid } },
            splitArea: { show: false },
            minorSplitLine: { lineStyle: { color: theme.grid } },
        };
    }

    /** The page's colours as a theme of ECharts, so that options need not repeat them. */
    function registered(theme) {
        const name = theme.dark ? "locktoll-dark" : "locktoll-light";
        const axes = axis(theme);
        echarts.registerTheme(name, {
            categoryAxis: axes,
            valueAxis: axes,
            logAxis: axes,
            timeAxis: axes,
            legend: { textStyle: { color: theme.text }, inactiveColor: theme.line, pageTextStyle: { color: theme.faint } },
            tooltip: {
                confine: true,
                backgroundColor: theme.surface,
                borderColor: theme.line,
                textStyle: { color: theme.text, fontSize: 12 },
                axisPointer: { lineStyle: { color: theme.faint }, label: { backgroundColor: theme.faint } },
            },
            visualMap: { textStyle: { color: theme.faint } },
            graph: { color: theme.series },
        });
        return name;
    }

    /** The title of a chart, and next to it a mark that opens an explanation of the chart. */
    function titled(figure, title, caption) {
        const head = kit.element.into(figure, "div", { class: "chart-head" });
        kit.element.into(head, "strong", { class: "chart-title", text: title });
        if (caption) {
            const hint = kit.element.into(head, "details", { class: "hint" });
            kit.element.into(hint, "summary", { "aria-label": "How to read this chart", title: caption, text: "?" });
            kit.element.into(hint, "p", { text: caption });
        }
    }

    /** A series that is pointed at in one chart is highlighted in all charts that have it. */
    function share(self) {
        const tell = (type) => ({ seriesName }) => {
            // Series without a name are numbered, each chart's by itself.
            if (seriesName && !seriesName.startsWith("series\0")) {
                for (const chart of charts) {
                    if (chart !== self && chart.instance() && chart.element.isConnected) {
                        chart.instance().dispatchAction({ type, seriesName });
                    }
                }
            }
        };
        self.instance().on("mouseover", tell("highlight"));
        self.instance().on("mouseout", tell("downplay"));
    }

    kit.chart = function (parent, { title, label, height = 280, key, caption, renderer = "svg" }, make) {
        const figure = kit.element.into(parent, "figure", { class: "chart" });
        titled(figure, title || label, caption);
        const room = kit.element.into(figure, "div", { class: "chart-room", role: "img", "aria-label": label });
        if (key) {
            kit.element.into(figure, "figcaption", { text: key });
        }
        let instance = null;
        let drawn = 0;
        const self = {
            element: figure,
            instance: () => instance,
            /** Draws it anew if it has room, in the colours of the moment. */
            redraw(width = room.clientWidth) {
                if (width === 0) {
                    return;
                }
                const theme = kit.theme();
                const high = typeof height === "function" ? height(width) : height;
                room.style.height = high + "px";
                if (instance) {
                    instance.dispose();
                }
                instance = echarts.init(room, registered(theme), { renderer, width, height: high });
                instance.setOption(base(theme, label));
                instance.setOption(make(theme, width));
                drawn = width;
                share(self);
                if (self.drawn) {
                    self.drawn(instance);
                }
            },
            /** Called with each new instance, for listeners. */
            drawn: null,
        };
        charts.add(self);
        // Also draws it first: an observer reports an element's size as soon as it has one.
        let asked = 0;
        new ResizeObserver(() => {
            cancelAnimationFrame(asked);
            asked = requestAnimationFrame(() => {
                if (room.clientWidth !== drawn && !printing) {
                    self.redraw();
                }
            });
        }).observe(room);
        self.redraw();
        return self;
    };

    /**
     * The room that an axis of names needs on the left of a chart: the library's own measure of text is not always the
     * browser's. `most` is the part of the width that they may take.
     */
    kit.nameRoom = function (names, width, most = 0.32) {
        const longest = Math.max(...names.map((name) => name.length), 4);
        return Math.round(Math.min(longest * 7.2 + 10, 320, width * most));
    };

    kit.tip = function (...lines) {
        const box = kit.element("div", { class: "tip" });
        for (const [at, line] of lines.filter((line) => line !== null && line !== undefined).entries()) {
            kit.element.into(box, at === 0 ? "strong" : "span", { text: line });
        }
        return box;
    };

    const redrawAll = (width) => {
        for (const chart of charts) {
            if (chart.element.isConnected) {
                chart.redraw(width && Math.min(width, chart.element.clientWidth || width));
            } else {
                charts.delete(chart);
            }
        }
    };

    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redrawAll());

    // On paper: everything opened, light colours, charts as wide as the paper.
    let printing = false;
    let shut = [];
    const print = () => {
        if (printing) {
            return;
        }
        printing = true;
        document.documentElement.dataset.print = "";
        shut = [];
        document.dispatchEvent(new Event("locktoll-print"));
        document.querySelectorAll("details.hint:not([open])").forEach((hint) => {
            hint.open = true;
            shut.push(hint);
        });
        // Folds may hold folds.
        for (let closed; (closed = [...document.querySelectorAll("details.fold:not([open])")]).length > 0; ) {
            closed.forEach((details) => details.fillNow());
            shut.push(...closed);
        }
        redrawAll(PRINTED);
    };
    const printed = () => {
        if (!printing) {
            return;
        }
        printing = false;
        delete document.documentElement.dataset.print;
        shut.forEach((details) => (details.open = false));
        document.dispatchEvent(new Event("locktoll-printed"));
        redrawAll();
    };
    addEventListener("beforeprint", print);
    addEventListener("afterprint", printed);
    matchMedia("print").addEventListener("change", (event) => (event.matches ? print() : printed()));
}
