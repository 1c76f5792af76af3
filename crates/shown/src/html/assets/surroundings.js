"use strict";
// Where something was measured, and how far to trust it.
//
//     kit.card(machine)                     the machine in one line
//     kit.provenance(section, doc, more)    when, where and with what a result was made, in one quiet line
//     kit.surroundings(section, doc, more)  the same, and machine, clock and noise in full, folded
//     kit.choice(parent, {label, options, chosen, change})    a list to choose from; options are [[value, text], ...]
//     kit.commands(parent, [[command, what for], ...])        commands to copy
{
    const kit = locktoll.kit;

    const or = (value, unknown = "unknown") => (value === null || value === undefined ? unknown : kit.shown(value));

    // Windows names itself in the place of a kernel's version, and has no C library, container or governor.
    const isWindows = (machine) => String(machine.kernel).startsWith("Windows");

    kit.card = function (machine) {
        if (!machine) {
            return "";
        }
        // A list of them, or in the short form their number.
        const cpus = typeof machine.usable_cpus === "number" ? machine.usable_cpus : (machine.usable_cpus || []).length;
        const virtual = machine.virtual_machine === true ? " in a virtual machine" : "";
        const quota = machine.quota_cpus ? ", quota of " + machine.quota_cpus + " CPUs" : "";
        return [
            or(machine.cpu_model, "unknown CPU"),
            kit.counted(cpus, "usable CPU", "usable CPUs") + virtual + quota,
            ...(isWindows(machine) ? [or(machine.kernel)] : ["Linux " + or(machine.kernel), or(machine.libc, "unknown C library")]),
        ].join(" \u00b7 ");
    };

    const SIZES = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]];

    /** `48 KiB`, `1.25 MiB`. */
    kit.bytes = function (number) {
        if (typeof number !== "number") {
            return kit.dash;
        }
        const [size, unit] = SIZES.find(([size]) => number >= size) || SIZES[3];
        return Number((number / size).toFixed(2)) + " " + unit;
    };

    const yes = (value) => (value === true ? "yes" : value === false ? "no" : "unknown");

    const ofLinux = (machine) => [
        ["Kernel, C library", or(machine.kernel) + ", " + or(machine.libc)],
        ["Virtual machine, container", yes(machine.virtual_machine) + ", " + or(machine.container, "none seen")],
        ["CPU quota", or(machine.quota_cpus, "none")],
        ["Frequency governor, clock source", or(machine.governor) + ", " + or(machine.clocksource)],
    ];

    const ofWindows = (machine) => [
        ["System", or(machine.kernel)],
        ["Virtual machine", yes(machine.virtual_machine)],
        ["Clock source", or(machine.clocksource)],
    ];

    /** One quiet line: when, where, with what. `more` are further texts of a kind of result. Results of earlier versions have fewer. */
    kit.provenance = function (section, doc, more = []) {
        const made = doc.made || {};
        const date = made.date ? kit.shown(made.date).replace("T", " ").replace("Z", " UTC") : null;
        const version = made.locktoll || doc.version;
        const texts = [date, made.host && kit.shown(made.host), kit.card(doc.machine || made.machine), ...more, version && "locktoll " + kit.shown(version)].filter(Boolean);
        if (texts.length > 0) {
            kit.element.into(section, "p", { class: "provenance" }, ...kit.prose(texts.join(" \u00b7 ")));
        }
    };

    kit.surroundings = function (section, doc, more) {
        const { machine, clock, noise } = doc;
        kit.provenance(section, doc, more);
        return kit.fold(section, "Where and how it was measured", (body) => {
            if (machine) {
                const topology = machine.topology || {};
                const caches = topology.caches || {};
                kit.subheading(body, "Machine");
                terms(body, [
                    ["Processor", or(machine.cpu_model) + ", " + or(machine.architecture)],
                    ["CPUs", kit.count((machine.usable_cpus || []).length) + " usable of " + or(machine.online_cpus) + " online"],
                    ["Cores, sockets, memory nodes", [topology.cores, topology.packages, topology.numa_nodes].map((it) => or(it, "?")).join(", ")],
                    ["Caches", "L1d " + kit.bytes(caches.l1d_bytes) + ", L2 " + kit.bytes(caches.l2_bytes) + ", L3 " + kit.bytes(caches.l3_bytes)],
                    ...(isWindows(machine) ? ofWindows(machine) : ofLinux(machine)),
                ]);
            }
            if (clock) {
                const fallback = clock.fallback_reason ? " (" + kit.shown(clock.fallback_reason) + ")" : "";
                kit.subheading(body, "Clock");
                terms(body, [
                    ["Source", or(clock.source) + fallback],
                    ["Cost of reading it", kit.price(clock.cost_ns)],
                    ["Precision", kit.price(clock.precision_ns)],
                ]);
            }
            if (noise) {
                kit.subheading(body, "Other activity on the machine");
                terms(body, [
                    ["Taken by the hypervisor (steal)", kit.percent(noise.steal)],
                    ["Other processes", kit.percent(noise.other_load)],
                    ["Runnable threads of other processes", kit.count(noise.runnable_others)],
                    ["Stopped by the CPU quota", kit.duration(noise.throttled_ns)],
                    ["Watched for", kit.duration(noise.duration_ns)],
                ]);
            }
            kit.note(body, "Measured by locktoll " + or(doc.version) + "; schema " + or(doc.schema) + ".");
        });
    };

    function terms(parent, rows) {
        const list = kit.element.into(parent, "dl", { class: "terms" });
        for (const [term, text] of rows) {
            kit.element.into(list, "dt", { text: term });
            kit.element.into(list, "dd", { text });
        }
    }

    let choices = 0;

    kit.choice = function (parent, { label, options, chosen, change }) {
        const id = "choice-" + ++choices;
        const box = kit.element.into(parent, "span", { class: "choice" });
        kit.element.into(box, "label", { for: id, text: label });
        const select = kit.element.into(box, "select", { id, on: { change: () => change(options[select.selectedIndex][0]) } });
        for (const [value, text] of options) {
            kit.element.into(select, "option", { text }).selected = value === chosen;
        }
        return box;
    };

    kit.commands = function (parent, commands) {
        const list = kit.element.into(parent, "ul", { class: "commands" });
        for (const [command, why] of commands) {
            const item = kit.element.into(list, "li");
            const row = kit.element.into(item, "div", { class: "command" });
            const code = kit.element.into(row, "code", { text: kit.shown(command) });
            const button = kit.element.into(row, "button", {
                type: "button",
                class: "copy",
                text: "Copy",
                "aria-label": "Copy the command " + kit.shown(command),
                on: { click: () => copy(code).then((done) => (button.textContent = done ? "Copied" : "Selected")) },
            });
            if (why) {
                kit.element.into(item, "span", { class: "remark", text: kit.shown(why) });
            }
        }
        return list;
    };

    /** To the clipboard; if the browser does not allow that, the text is selected for the reader to copy. */
    async function copy(code) {
        try {
            await navigator.clipboard.writeText(code.textContent);
            return true;
        } catch {
            getSelection().selectAllChildren(code);
            return false;
        }
    }
}
