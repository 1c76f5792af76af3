"use strict";
// Published lines over measured ones, as in the pictures of the Markdown page (reproduction/picture/overlay.rs): one factor
// for all of them, which puts one published point on the measured one.
{
    const kit = locktoll.kit;

    /** Parts of the same name are one line. */
    function joined(claim) {
        const lines = [];
        for (const part of (claim.published || []).flatMap(({ line }) => line || [])) {
            const known = lines.find(({ name }) => name === part.name);
            known ? known.points.push(...part.points) : lines.push({ ...part, points: [...part.points] });
        }
        return lines;
    }

    /** A series is named `RUN: LOCK, PARAMETER VALUE`. */
    const lockOf = (name) => name.slice(name.lastIndexOf(": ") < 0 ? 0 : name.lastIndexOf(": ") + 2).split(", ")[0];

    /** The lines that belong to a group of series, with values as they are drawn, and a sentence about that. */
    kit.published = function (claim, group) {
        const lines = joined(claim)
            .map((line) => ({ ...line, series: line.measured ? group.findIndex(({ name }) => lockOf(name) === line.measured) : 0 }))
            .filter(({ series }) => series >= 0);
        if (lines.length === 0) {
            return { lines, said: "" };
        }
        const title = ({ name }) => (name === "published" ? name : "published: " + kit.shown(name));
        if (lines[0].unit.startsWith("share")) {
            const said = " Published: " + kit.shown(lines[0].unit) + "; measured: " + kit.shown(group[0].unit) + ".";
            return { lines: lines.map((line) => ({ ...line, title: title(line) })), said };
        }
        for (const line of lines) {
            for (const point of line.points) {
                const there = group[line.series].points.find(({ x }) => x === point.x);
                const factor = there && there.y ? there.y.median / point.y : 0;
                if (Number.isFinite(factor) && factor > 0) {
                    const drawn = lines.map((it) => ({ ...it, title: title(it), points: it.points.map(({ x, y }) => ({ x, y: y * factor, as: y })) }));
                    const at = kit.shown(point.x) + " (" + kit.shown(group[0].x_name) + ")";
                    const said = " Published values times " + Number(factor.toPrecision(2)) + ": the point of '" + kit.shown(line.name) + "' at " + at + " lies on the measured one.";
                    return { lines: drawn, said };
                }
            }
        }
        return { lines: [], said: "" };
    };

    /** The places of all points; powers of two are put in order. */
    kit.places = function (all) {
        const xs = [...new Set(all.flatMap(({ points }) => points.map(({ x }) => x)))];
        return xs.every((x) => x.startsWith("2^")) ? xs.sort((a, b) => a.slice(2) - b.slice(2)) : xs;
    };

    /** A published line as a series of a chart: dashed, in the colour of the measured one. */
    kit.publishedSeries = (line, theme, numeric, place) => ({
        name: line.title,
        type: numeric ? "line" : "scatter",
        symbol: "emptyDiamond",
        symbolSize: 12,
        z: 5,
        color: kit.plots.marks(theme, line.series).color,
        lineStyle: { width: 2, type: "dashed" },
        data: line.points.map(({ x, y }) => [place(x), y]).sort((a, b) => a[0] - b[0]),
    });

    /** A published point in words, with the value as published. */
    kit.publishedPoint = function (line, along, figure, isMeant) {
        const { x, y, as } = line.points.find(isMeant);
        return kit.shown(along) + " " + kit.shown(x) + ": " + figure(as ?? y) + " " + kit.shown(line.unit);
    };
}
