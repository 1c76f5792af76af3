//! The lines of the price list that come from these probes.

use super::probes::Measured;
use crate::clock::Source;
use crate::probe::paired::paired;
use crate::probe::series::Series;
use crate::probe::split::MeasuredArm;
use crate::probe::switch::{switch, switch_ns};
use crate::probe::{Group, Part};

/// Returns all of the lines.
pub(super) fn lines(measured: &Measured) -> Vec<Part> {
    let mut lines = entering(measured);
    lines.extend(switching(measured));
    lines.extend(waking(measured));
    lines.extend(round_trips(measured));
    lines.extend(clocks(measured));
    lines
}

fn plain(series: &Series, name: &str, title: &str, group: Group, formula: &str) -> Part {
    let part = Part::new(name, title, group, formula)
        .value(series.ns())
        .counts(series);
    uncounted(part)
}

/// Adds a note if the figure should have a count and there is none.
fn uncounted(part: Part) -> Part {
    let belongs = part.switches_expected.is_some_and(|number| number > 0.0);
    match belongs && part.value.is_some() && part.switches_counted.is_none() {
        true => part.note("switches are not counted here"),
        false => part,
    }
}

fn entering(measured: &Measured) -> Vec<Part> {
    let line =
        |series, name, title, formula| plain(series, name, title, Group::KernelEntry, formula);
    vec![
        line(
            &measured.system_call,
            "syscall",
            "system call",
            "NtGetCurrentProcessorNumber of ntdll, which only answers; it enters the kernel on Windows, and under Wine (getcpu(2))",
        ),
        line(
            &measured.set_event,
            "set-event-none",
            "SetEvent, nobody waits",
            "SetEvent on an auto-reset event",
        ),
        line(
            &measured.wait_for_set,
            "wait-event-set",
            "WaitForSingleObject, returns at once",
            "WaitForSingleObject on a manual-reset event that is set",
        ),
        line(
            &measured.alert,
            "alert-self",
            "alert and wait for it, one thread",
            "NtAlertThreadByThreadId, then NtWaitForAlertByThreadId: what WakeByAddressSingle and WaitOnAddress end in",
        ),
        line(
            &measured.yield_alone,
            "yield-alone",
            "yield, nobody else to run",
            "SwitchToThread, one thread",
        ),
        line(
            &measured.sleep_0,
            "sleep-0",
            "Sleep(0), nobody else to run",
            "Sleep(0), one thread",
        ),
    ]
}

fn switching(measured: &Measured) -> Vec<Part> {
    let (thread, alone) = (&measured.yield_thread, &measured.yield_alone);
    let (migration, staying) = (&measured.migration, &measured.staying);
    let moved = paired([migration, staying], |[migration, staying]| {
        migration.ns - staying.ns
    });
    vec![
        Part::new(
            "switch",
            "switch between two threads",
            Group::Switch,
            "(SwitchToThread between two threads on one CPU - SwitchToThread alone) / its answers that it switched, a call",
        )
        .value(switch(thread, alone))
        .counts(thread),
        Part::new(
            "migration",
            "moving a running thread to another CPU",
            Group::Switch,
            "SetThreadGroupAffinity to another CPU - to the same CPU",
        )
        .value(moved)
        .counts(migration),
    ]
    .into_iter()
    .map(uncounted)
    .collect()
}

fn waking(measured: &Measured) -> Vec<Part> {
    let MeasuredArm {
        one_cpu: one,
        two_cpus: two,
        ..
    } = &measured.event;
    let (set, wait, busy) = (
        &measured.set_event,
        &measured.wait_for_set,
        &measured.event_busy,
    );
    let (thread, alone) = (&measured.yield_thread, &measured.yield_alone);
    let scheduler = paired(
        [one, set, wait, thread, alone],
        |[one, set, wait, thread, alone]| one.ns - set.ns - wait.ns - switch_ns(thread, alone),
    );
    let line = |name, title, formula, value, counts: &Series| {
        uncounted(
            Part::new(name, title, Group::WakeUp, formula)
                .value(value)
                .counts(counts),
        )
    };
    vec![
        plain(
            &measured.wake_address,
            "wake-address-none",
            "WakeByAddressSingle, nobody waits",
            Group::WakeUp,
            "WakeByAddressSingle that wakes none: no kernel",
        ),
        plain(
            &measured.wait_address,
            "wait-address-changed",
            "WaitOnAddress, returns at once",
            Group::WakeUp,
            "WaitOnAddress for a value that is no longer there: no kernel",
        ),
        line(
            "sleep-and-wake",
            "scheduler: one thread to sleep, one woken",
            "event hand-over on one CPU - SetEvent - WaitForSingleObject - switch",
            scheduler,
            one,
        ),
        line(
            "remote-wake-up",
            "waking a thread on another CPU, on top of that",
            "event hand-over on two CPUs - on one",
            paired([two, one], |[two, one]| two.ns - one.ns),
            two,
        ),
        line(
            "idle-exit",
            "of which: the other CPU leaves its idle state",
            "event hand-over on two CPUs - on two that are kept busy below",
            paired([two, busy], |[two, busy]| two.ns - busy.ns),
            busy,
        ),
    ]
}

fn round_trips(measured: &Measured) -> Vec<Part> {
    let mut lines = Vec::new();
    for measured in [&measured.event, &measured.semaphore]
        .into_iter()
        .chain(&measured.arms)
    {
        let (name, title) = (measured.arm.name, measured.arm.title);
        for (series, suffix, place) in [
            (&measured.one_cpu, "one-cpu", "one CPU"),
            (&measured.two_cpus, "two-cpus", "two CPUs"),
        ] {
            let (name, title) = (format!("{name}-{suffix}"), format!("{title}, {place}"));
            let formula = "half a round trip of two threads";
            lines.push(plain(series, &name, &title, Group::RoundTrip, formula));
        }
    }
    lines
}

fn clocks(measured: &Measured) -> Vec<Part> {
    let own = match measured.own_source {
        Source::Tsc => "lfence, then rdtsc: what all figures here are timed by",
        Source::Cntvct => "isb, then CNTVCT_EL0: what all figures here are timed by",
        Source::Monotonic => {
            "QueryPerformanceCounter in nanoseconds: what all figures here are timed by"
        }
    };
    vec![
        plain(
            &measured.performance_counter,
            "qpc",
            "QueryPerformanceCounter, one reading",
            Group::Clock,
            "QueryPerformanceCounter, one thread",
        ),
        plain(
            &measured.own_clock,
            "own-clock",
            "the clock of this list, one reading",
            Group::Clock,
            own,
        ),
    ]
}
