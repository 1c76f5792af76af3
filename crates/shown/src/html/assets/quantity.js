"use strict";
// Durations, counts and shares, as the terminal shows them (terminal/src/quantity.rs).
{
    const kit = locktoll.kit;

    /** A figure that was not measured. */
    kit.dash = "\u2013";

    const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

    /** `format` of a number, a dash of anything else. */
    const known = (format) => (value, ...rest) => (isNumber(value) ? format(value, ...rest) : kit.dash);

    function threeDigits(value) {
        return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
    }

    /** The largest unit that the number, rounded, has at least one of. */
    function inUnits(number, units) {
        const [size, unit] = units.find(([size]) => number >= size * 0.9995) || units[units.length - 1];
        return [number / size, unit, size];
    }

    const TIMES = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
    const SIZES = [[1e9, " G"], [1e6, " M"], [1e3, " k"], [1, ""]];

    /** `812 ns`, `17.6 us`, `1.02 ms`, `3.00 s`. */
    kit.duration = known((ns) => {
        if (ns < 1) {
            return ns > 0 ? "<1 ns" : "0";
        }
        const [value, unit, size] = inUnits(ns, TIMES);
        return (size === 1 ? value.toFixed(0) : threeDigits(value)) + " " + unit;
    });

    /** The same with fractions of a nanosecond: `8.41 ns`. A subtraction can make one negative; it is then shown as negative. */
    kit.price = known((ns) => {
        if (ns <= -0.005) {
            return "\u2212" + kit.price(-ns);
        }
        if (ns <= 0) {
            return "0";
        }
        return ns < 99.95 ? threeDigits(ns) + " ns" : kit.duration(ns);
    });

    /** `19.2 M`, `870 k`, `12`. */
    kit.rate = known((number) => {
        if (number === 0) {
            return "0";
        }
        const [value, unit] = inUnits(number, SIZES);
        return threeDigits(value) + unit;
    });

    /** `1,234,567`. */
    kit.count = known((number) => Math.round(number).toLocaleString("en-US"));

    kit.percent = known((fraction) => {
        const percent = fraction * 100;
        if (percent === 0) {
            return "0 %";
        }
        return percent < 0.05 ? "<0.1 %" : percent.toFixed(1) + " %";
    });

    kit.share = function (part, whole) {
        return isNumber(part) && isNumber(whole) && whole > 0 ? kit.percent(part / whole) : kit.dash;
    };

    /** `1 thread`, `2 threads`. */
    kit.counted = (number, one, many) => kit.count(number) + " " + (number === 1 ? one : many);

    /** `two modes: 138 ns in 5 slices, 300 ns in 4`. */
    kit.modes = ({ low, high, in_low: inLow, in_high: inHigh }) =>
        "two modes: " + kit.price(low) + " in " + kit.counted(inLow, "slice", "slices") + ", " + kit.price(high) + " in " + kit.count(inHigh);

    /** `40 % (0 to 72 %) of the variance between slices`. */
    kit.placement = ({ share, low, high }) =>
        [share, low, high].map((part) => (part * 100).toFixed(0)).reduce((text, part, index) => text + (index === 1 ? " % (" : " to ") + part) + " %) of the variance between slices";

    kit.median = function (estimate) {
        const value = estimate !== null && typeof estimate === "object" ? estimate.median : estimate;
        return isNumber(value) ? value : null;
    };

    /** `8.41 ns (8.30 to 8.52 ns)`: the median and the bounds of its 95 % interval. */
    kit.interval = function (estimate, format) {
        const median = format(kit.median(estimate));
        if (!estimate || !isNumber(estimate.low) || !isNumber(estimate.high)) {
            return median;
        }
        return median + " (" + format(estimate.low) + " to " + format(estimate.high) + ")";
    };
}
