//! The list of probes, and their results by name.

use std::time::Duration;

use super::super::interleave::Probe;
use super::super::migration;
use super::super::ping_pong::{Place, ping_pong};
use super::super::scheduling::Policy;
use super::super::series::Series;
use super::super::session::Session;
use super::super::split::MeasuredArm;
use super::arms::{FutexWords, arms, eventfd};
use super::entry;
use super::yields::{self, Partner};

/// The measured series, by name.
pub(super) struct Measured {
    pub system_call: Series,
    pub futex_wake: Series,
    pub futex_wait: Series,
    pub yield_alone: Series,
    pub yield_thread: Series,
    pub yield_process: Series,
    pub staying: Series,
    pub migration: Series,
    /// The futex ping-pong on one CPU.
    pub one_cpu: Series,
    /// The same on two CPUs.
    pub two_cpus: Series,
    /// The same on two CPUs that are kept from going idle.
    pub two_busy_cpus: Series,
    /// The same on one CPU and on two, under `SCHED_OTHER`; `None` where all probes run under it.
    pub as_programs_run: Option<[Series; 2]>,
    /// The same by eventfd, and its calls alone; its ping-pong on two busy CPUs is in `eventfd_busy`.
    pub eventfd: MeasuredArm,
    pub eventfd_busy: Series,
    pub arms: Vec<MeasuredArm>,
}

/// Runs all of the probes.
pub(super) fn run(session: &Session<'_>) -> Measured {
    let home = session.home_cpu();
    let one_cpu = Ok(Place::on([home; 2]));
    let two_cpus = session.far_cpu().map(|far| Place::on([home, far]));
    let two_busy_cpus = two_cpus.clone().map(|place| Place {
        busy: true,
        ..place
    });
    let eventfd = eventfd();
    let arms = arms();
    let mut probes = vec![
        entry::system_call(),
        entry::futex_wake(),
        entry::futex_wait(),
        yields::alone(),
        yields::pair(session, Partner::Thread),
        yields::pair(session, Partner::Process),
        migration::staying(session),
        migration::there_and_back(session),
        futex("futex ping-pong on one CPU", &one_cpu),
        futex("futex ping-pong on two CPUs", &two_cpus),
        futex("futex ping-pong on two busy CPUs", &two_busy_cpus),
        placed(&two_busy_cpus, "eventfd on two busy CPUs", |place| {
            eventfd.between(place)
        }),
    ];
    let real_time = session.policy() == Policy::Fifo;
    if real_time {
        for place in [&one_cpu, &two_cpus] {
            let place = place.clone().map(|place| Place {
                as_programs_run: true,
                ..place
            });
            probes.push(futex("futex ping-pong, SCHED_OTHER", &place));
        }
    }
    for arm in std::iter::once(&eventfd).chain(&arms) {
        probes.push(arm.alone());
        probes.push(placed(&one_cpu, arm.title, |place| arm.between(place)));
        probes.push(placed(&two_cpus, arm.title, |place| arm.between(place)));
    }
    let budget = session.budget(Duration::from_millis(5500), Duration::from_millis(1300));
    let mut results = session.interleave(&probes, budget).into_iter();
    let mut next = || results.next().expect("a series for each probe");
    Measured {
        system_call: next(),
        futex_wake: next(),
        futex_wait: next(),
        yield_alone: next(),
        yield_thread: next(),
        yield_process: next(),
        staying: next(),
        migration: next(),
        one_cpu: next(),
        two_cpus: next(),
        two_busy_cpus: next(),
        eventfd_busy: next(),
        as_programs_run: real_time.then(|| [next(), next()]),
        eventfd: MeasuredArm::of(eventfd, &mut next),
        arms: arms
            .into_iter()
            .map(|arm| MeasuredArm::of(arm, &mut next))
            .collect(),
    }
}

fn futex(title: &'static str, place: &Result<Place, String>) -> Probe<'static> {
    placed(place, title, |place| {
        Probe::new(title, Some(1.0), move |session, units| {
            ping_pong(session, FutexWords::default(), place, units)
        })
    })
}

fn placed(
    place: &Result<Place, String>,
    title: &str,
    probe: impl Fn(Place) -> Probe<'static>,
) -> Probe<'static> {
    match place {
        Ok(place) => probe(*place),
        Err(reason) => Probe::refused(title, reason),
    }
}
