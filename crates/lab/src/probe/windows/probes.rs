//! The list of probes, and their results by name.

use std::time::Duration;

use super::list::{arms, event, semaphore};
use super::{alert, entry, yields};
use crate::clock::Source;
use crate::probe::interleave::Probe;
use crate::probe::migration;
use crate::probe::ping_pong::{Arm, Place};
use crate::probe::scheduling::Policy;
use crate::probe::series::Series;
use crate::probe::session::Session;
use crate::probe::split::MeasuredArm;

/// The measured series, by name.
pub(super) struct Measured {
    pub system_call: Series,
    pub set_event: Series,
    pub wait_for_set: Series,
    pub wake_address: Series,
    pub wait_address: Series,
    /// A thread alerts itself and waits for it.
    pub alert: Series,
    pub sleep_0: Series,
    pub yield_alone: Series,
    pub yield_thread: Series,
    pub staying: Series,
    pub migration: Series,
    pub performance_counter: Series,
    pub own_clock: Series,
    /// The source that the clock of all figures reads.
    pub own_source: Source,
    /// The event ping-pong on two CPUs that are kept from going idle.
    pub event_busy: Series,
    pub event: MeasuredArm,
    pub semaphore: MeasuredArm,
    pub arms: Vec<MeasuredArm>,
}

/// Runs all of the probes.
pub(super) fn run(session: &Session<'_>) -> Measured {
    let home = session.home_cpu();
    let one_cpu = Ok(Place::on([home; 2]));
    let two_cpus = session.far_cpu().map(|far| Place::on([home, far]));
    // Threads meant to run below all others would otherwise take turns with them.
    let two_busy_cpus = two_cpus.clone().and_then(|place| match session.policy() {
        Policy::TimeCritical => Ok(Place {
            busy: true,
            ..place
        }),
        Policy::Other => Err(session.scheduling().refused.clone().unwrap_or_default()),
    });
    let (event, semaphore, arms) = (event(), semaphore(), arms());
    let mut probes = vec![
        entry::system_call(),
        entry::set_event(),
        entry::wait_for_set(),
        entry::wake_address(),
        entry::wait_address(),
        alert::itself(),
        entry::sleep_0(),
        entry::yield_alone(),
        yields::pair(),
        migration::staying(session),
        migration::there_and_back(session),
        entry::performance_counter(),
        entry::own_clock(),
        placed(&two_busy_cpus, &event),
    ];
    for arm in [&event, &semaphore].into_iter().chain(&arms) {
        probes.push(arm.alone());
        probes.push(placed(&one_cpu, arm));
        probes.push(placed(&two_cpus, arm));
    }
    let budget = session.budget(Duration::from_millis(5500), Duration::from_millis(1300));
    let mut results = session.interleave(&probes, budget).into_iter();
    let mut next = || results.next().expect("a series for each probe");
    Measured {
        system_call: next(),
        set_event: next(),
        wait_for_set: next(),
        wake_address: next(),
        wait_address: next(),
        alert: next(),
        sleep_0: next(),
        yield_alone: next(),
        yield_thread: next(),
        staying: next(),
        migration: next(),
        performance_counter: next(),
        own_clock: next(),
        own_source: session.clock().source(),
        event_busy: next(),
        event: MeasuredArm::of(event, &mut next),
        semaphore: MeasuredArm::of(semaphore, &mut next),
        arms: arms
            .into_iter()
            .map(|arm| MeasuredArm::of(arm, &mut next))
            .collect(),
    }
}

fn placed(place: &Result<Place, String>, arm: &Arm) -> Probe<'static> {
    match place {
        Ok(place) => arm.between(*place),
        Err(reason) => Probe::refused(arm.title, reason),
    }
}
