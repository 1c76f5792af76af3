"use strict";
// The answer of a bench result: which lock was fastest where contention is highest, and by how much.
{
    const kit = locktoll.kit;

    /** The cells with most threads, in the first setting of all other parameters. */
    function hardest(cells, knobs) {
        const threads = Math.max(...cells.map((cell) => cell.threads));
        const at = (name) => knobs.find((knob) => knob.name === name)?.values[0] ?? null;
        return cells.filter((cell) => cell.threads === threads && knobs.every(({ name }) => name === "threads" || kit.bench.key(cell[name]) === kit.bench.key(at(name))));
    }

    const price = (cell) => kit.median(cell.ns_per_op);
    const sound = (cell) => price(cell) > 0 && !cell.exclusion_broken && !cell.failure && !cell.cut_off;
    const times = (ratio) => (ratio < 9.95 ? ratio.toFixed(2) : ratio < 99.5 ? ratio.toFixed(1) : kit.count(Number(ratio.toPrecision(3)))) + " times";

    /** Whether neither cell's interval, widened by the A/A pair's difference, reaches the other's median. */
    function apart(a, b, noise) {
        return a.ns_per_op.n >= 6 && b.ns_per_op.n >= 6 && a.ns_per_op.high * noise < price(b) && price(a) * noise < b.ns_per_op.low;
    }

    kit.bench.answer = function (section, doc, knobs) {
        const cells = hardest(doc.cells, knobs).filter(sound).sort((a, b) => price(a) - price(b));
        if (cells.length === 0) {
            kit.answer(section, { tone: "quiet", said: [doc.cells.length === 0 ? "Nothing was measured." : "No lock could be measured."] });
            return;
        }
        const [best, second] = cells;
        const worst = cells[cells.length - 1];
        const name = ({ lock }) => kit.shown(lock);
        const pairs = (doc.noise.same_lock_twice || []).map(({ ratio }) => Math.max(ratio.high, 1 / ratio.low)).filter((it) => it > 0);
        const noise = Math.max(1, ...pairs);
        const where = " with " + kit.counted(best.threads, "thread", "threads");
        const others = knobs.filter((knob) => knob.name !== "threads");
        const setting = others.length > 0 ? " (" + kit.bench.setting(best, others) + ")" : "";
        const said = [];
        if (!second) {
            said.push(name(best) + where + setting + ": " + kit.price(price(best)) + " per operation.");
        } else if (apart(best, second, noise)) {
            said.push(name(best) + " was fastest" + where + setting + ": " + times(price(second) / price(best)) + " as fast as " + name(second) + ", and " + times(price(worst) / price(best)) + " as fast as " + name(worst) + ", the slowest.");
        } else {
            const same = cells.filter((cell) => cell !== best && !apart(best, cell, noise)).map(name);
            const few = kit.cut(same.join(", "), 120);
            const rest = cells.length - 1 - same.length;
            said.push(
                name(best) + " had the lowest median" + where + setting + ", but it cannot be distinguished from " + few +
                    (best.ns_per_op.n < 6 ? ": " + kit.counted(best.ns_per_op.n, "round", "rounds") + " (6 needed)." : rest > 0 ? "; it was " + times(price(worst) / price(best)) + " as fast as " + name(worst) + ", the slowest." : "."),
            );
        }
        kit.answer(section, { figure: kit.price(price(best)), of: "per operation of " + name(best) + where + ": wall time divided by the operations of all threads", said });
    };
}
