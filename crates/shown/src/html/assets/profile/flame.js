"use strict";
// Time spent waiting for locks, by the call stacks of the waiters or of the holders.
locktoll.profile.flame = function (parent, of, kit) {
    const { flame } = of.page;
    const drawable = (side) => side && side.calls.length > 1;
    if (!flame || (!drawable(flame.waiter) && !drawable(flame.holder))) {
        return;
    }
    const parts = [flame.waiter, flame.holder].filter(drawable).map((side) => (side.least_ns ?? 0) / side.calls[0][2]);
    const least = Number((Math.max(...parts) * 100).toFixed(2));
    kit.heading(
        parent,
        "Waiting by call stack",
        "Time spent waiting for locks, the outermost call on top, the lock at the end. By waiter: where the time was lost. " +
            "By holder: which holds to shorten. Click a call to zoom in." +
            (least > 0 ? " Calls with less than " + least + " % are left out." : ""),
        "Calls",
    );
    kit.flame(parent, {
        label: "Time spent waiting for locks, as a flame graph",
        sides: [
            { name: "By waiter", ...flame.waiter },
            { name: "By holder", ...flame.holder },
        ].filter(drawable),
        format: (ns, waits) => kit.duration(ns) + " in " + kit.counted(waits, "wait", "waits"),
    });
};
