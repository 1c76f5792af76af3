//! The lines of the price list that come from these probes.

use super::super::paired::paired;
use super::super::series::Series;
use super::super::switch::{switch, switch_ns};
use super::super::{Group, Part};
use super::probes::Measured;

/// Returns all of the lines.
pub(super) fn lines(measured: &Measured) -> Vec<Part> {
    let mut lines = entering(measured);
    lines.extend(switching(measured));
    lines.extend(waking(measured));
    lines.extend(round_trips(measured));
    lines
}

fn plain(series: &Series, name: &str, title: &str, group: Group, formula: &str) -> Part {
    Part::new(name, title, group, formula)
        .value(series.ns())
        .counts(series)
}

fn entering(measured: &Measured) -> Vec<Part> {
    let group = Group::KernelEntry;
    vec![
        plain(
            &measured.system_call,
            "syscall",
            "system call",
            group,
            "getppid(2)",
        ),
        plain(
            &measured.futex_wake,
            "futex-wake-none",
            "futex wake, nobody waits",
            group,
            "FUTEX_WAKE that wakes none",
        ),
        plain(
            &measured.futex_wait,
            "futex-wait-again",
            "futex wait that returns at once",
            group,
            "FUTEX_WAIT that says EAGAIN",
        ),
        plain(
            &measured.yield_alone,
            "yield-alone",
            "yield, nobody else to run",
            group,
            "sched_yield(2), one thread",
        ),
    ]
}

fn switching(measured: &Measured) -> Vec<Part> {
    let Measured {
        yield_alone: alone,
        yield_thread: thread,
        yield_process: process,
        staying,
        migration,
        ..
    } = measured;
    let address_space = paired([process, thread, alone], |[process, thread, alone]| {
        switch_ns(process, alone) - switch_ns(thread, alone)
    });
    let moved = paired([migration, staying], |[migration, staying]| {
        migration.ns - staying.ns
    });
    vec![
        Part::new(
            "switch",
            "switch between two threads",
            Group::Switch,
            "(yield between two threads on one CPU - yield alone) / switches a yield",
        )
        .value(switch(thread, alone))
        .counts(thread),
        Part::new(
            "address-space",
            "another address space, on top of a switch",
            Group::Switch,
            "switch between two processes - switch between two threads",
        )
        .value(address_space)
        .counts(process),
        Part::new(
            "migration",
            "moving a running thread to another CPU",
            Group::Switch,
            "sched_setaffinity(2) to another CPU - to the same CPU",
        )
        .value(moved)
        .counts(migration),
    ]
}

fn waking(measured: &Measured) -> Vec<Part> {
    let Measured {
        futex_wake: wake,
        futex_wait: wait,
        yield_alone: alone,
        yield_thread: thread,
        one_cpu: one,
        two_cpus: two,
        two_busy_cpus: busy,
        ..
    } = measured;
    let scheduler = paired(
        [one, wake, wait, thread, alone],
        |[one, wake, wait, thread, alone]| one.ns - wake.ns - wait.ns - switch_ns(thread, alone),
    );
    let remote = paired([two, one], |[two, one]| two.ns - one.ns);
    let idle_exit = paired([two, busy], |[two, busy]| two.ns - busy.ns);
    let faster_idle = idle_exit.as_ref().is_ok_and(|ns| ns.median < 0.0);
    let idle_exit = Part::new(
        "idle-exit",
        "of which: the other CPU leaves its idle state",
        Group::WakeUp,
        "futex hand-over on two CPUs - on two that are kept busy below",
    )
    .value(idle_exit)
    .counts(busy);
    vec![
        Part::new(
            "sleep-and-wake",
            "scheduler: one thread to sleep, one woken",
            Group::WakeUp,
            "futex hand-over on one CPU - futex wake - futex wait - switch",
        )
        .value(scheduler)
        .counts(one),
        Part::new(
            "remote-wake-up",
            "waking a thread on another CPU, on top of that",
            Group::WakeUp,
            "futex hand-over on two CPUs - on one",
        )
        .value(remote)
        .counts(two),
        match faster_idle {
            true => idle_exit.note("negative: an idle CPU is faster to take over than a busy one"),
            false => idle_exit,
        },
    ]
}

fn round_trips(measured: &Measured) -> Vec<Part> {
    let group = Group::RoundTrip;
    let formula = "half a round trip of two threads";
    let mut lines = vec![
        plain(
            &measured.one_cpu,
            "futex-one-cpu",
            "futex, one CPU",
            group,
            formula,
        ),
        plain(
            &measured.two_cpus,
            "futex-two-cpus",
            "futex, two CPUs",
            group,
            formula,
        ),
    ];
    for (series, name, title) in measured.as_programs_run.iter().flat_map(|[one, two]| {
        [
            (one, "futex-one-cpu-other", "futex, one CPU, SCHED_OTHER"),
            (two, "futex-two-cpus-other", "futex, two CPUs, SCHED_OTHER"),
        ]
    }) {
        lines.push(
            plain(series, name, title, group, formula).note(
                "as programs usually run; time of other programs that run in between is in it",
            ),
        );
    }
    for measured in std::iter::once(&measured.eventfd).chain(&measured.arms) {
        let (name, title) = (measured.arm.name, measured.arm.title);
        for (series, suffix, place) in [
            (&measured.one_cpu, "one-cpu", "one CPU"),
            (&measured.two_cpus, "two-cpus", "two CPUs"),
        ] {
            let (name, title) = (format!("{name}-{suffix}"), format!("{title}, {place}"));
            lines.push(plain(series, &name, &title, group, formula));
        }
    }
    lines
}
