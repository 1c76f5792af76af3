//! Tests the probes against the kernel's own counts, and their behaviour if they cannot work.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::machine::{Machine, usable_cpus};
use crate::processors;

use super::super::interleave::Probe;
use super::super::ping_pong::{HandOver, Place, ping_pong};
use super::super::series::Series;
use super::super::session::Session;
use super::super::{Part, Plan, Prices};
use super::arms::FutexWords;
use super::measure;

fn on_one_cpu(session: &Session<'_>) -> Place {
    Place::on([session.home_cpu(); 2])
}

fn with_session<R>(test: impl FnOnce(&Session<'_>) -> R) -> R {
    let machine = Machine::observe();
    test(&Session::new(Plan::quick(), &machine, &mut ()))
}

#[test]
fn a_probe_that_claims_other_switches_than_it_makes_is_refused() {
    with_session(|session| {
        let _turn = processors::alone();
        let place = on_one_cpu(session);
        // The well-known mistake: each hand-over is claimed to be two switches.
        let wrong = Probe::new("wrong", Some(2.0), move |session, units| {
            ping_pong(session, FutexWords::default(), place, units)
        });
        let series = &session.interleave(&[wrong], Duration::from_secs(1))[0];
        let part = Part::new("wrong", "wrong", super::super::Group::Switch, "")
            .value(series.ns())
            .counts(series);
        assert_eq!(part.value, None);
        let reason = part.refused.unwrap();
        assert!(reason.contains("2.000 are expected"), "{reason}");
        let counted = part.switches_counted.unwrap();
        assert!(counted < 1.9, "{counted}");
    });
}

/// A futex that stops working at the given wake: the wake fails, or has no effect.
struct Faulty {
    inner: FutexWords,
    wakes_left: AtomicU32,
    fails: bool,
}

impl Faulty {
    fn after(wakes: u32, fails: bool) -> Faulty {
        Faulty {
            inner: FutexWords::default(),
            wakes_left: AtomicU32::new(wakes),
            fails,
        }
    }
}

impl HandOver for Faulty {
    fn wake(&self, side: usize) -> io::Result<()> {
        let left = self.wakes_left.load(Ordering::Relaxed);
        self.wakes_left
            .store(left.wrapping_sub(1), Ordering::Relaxed);
        match (left, self.fails) {
            (0, true) => Err(io::Error::from_raw_os_error(libc::EPERM)),
            (0, false) => Ok(()),
            _ => self.inner.wake(side),
        }
    }

    fn wait(&self, side: usize) -> io::Result<()> {
        self.inner.wait(side)
    }
}

#[test]
fn a_call_that_is_refused_ends_the_batch_with_its_reason() {
    with_session(|session| {
        let place = on_one_cpu(session);
        let reason = ping_pong(session, Faulty::after(20, true), place, 400).unwrap_err();
        assert!(reason.contains("not permitted"), "{reason}");
    });
}

#[test]
fn a_wake_that_is_lost_does_not_hang_the_list() {
    with_session(|session| {
        let place = on_one_cpu(session);
        let reason = ping_pong(session, Faulty::after(20, false), place, 400).unwrap_err();
        assert!(reason.contains("not woken"), "{reason}");
    });
}

/// Measures this family alone.
fn prices_of(plan: Plan, machine: &Machine) -> Prices {
    let mut watcher = ();
    let session = Session::new(plan, machine, &mut watcher).patient();
    let mut prices = Prices {
        scheduling: session.scheduling().clone(),
        ..Prices::default()
    };
    let _turn = processors::alone();
    measure(&session, &mut prices);
    prices
}

fn every_line_has_a_figure_or_a_reason(prices: &Prices) {
    for part in &prices.parts {
        assert_eq!(part.value.is_none(), part.refused.is_some(), "{part:?}");
        if let (Some(expected), Some(counted), Some(_)) =
            (part.switches_expected, part.switches_counted, part.value)
        {
            assert!(
                (counted - expected).abs() <= 0.02 * expected.max(1.0),
                "{part:?}"
            );
        }
    }
}

fn of<'a>(prices: &'a Prices, name: &str) -> &'a Part {
    let found = prices.parts.iter().find(|part| part.name == name);
    found.unwrap_or_else(|| panic!("no part {name}"))
}

#[test]
fn one_cpu_is_enough_for_what_needs_one() {
    let mut machine = Machine::observe();
    machine.usable_cpus.truncate(1);
    machine.topology.cpus.truncate(1);
    let affinity = usable_cpus().unwrap();
    let prices = prices_of(Plan::quick(), &machine);
    assert_eq!(usable_cpus().unwrap(), affinity);
    every_line_has_a_figure_or_a_reason(&prices);
    for name in ["futex-two-cpus", "pipe-two-cpus", "migration", "idle-exit"] {
        let reason = of(&prices, name).refused.as_deref().unwrap();
        assert!(reason.contains("only one CPU"), "{name}: {reason}");
    }
    assert_eq!(prices.decomposition.cross_cpu, None);
    let reason = prices.decomposition.refused.unwrap();
    assert!(reason.contains("only one CPU"), "{reason}");
}

#[test]
fn a_cpu_that_may_not_be_used_is_a_reason() {
    let mut machine = Machine::observe();
    machine.usable_cpus = vec![60_000, 60_001];
    machine.topology.cpus.clear();
    let prices = prices_of(Plan::quick(), &machine);
    for name in ["syscall", "switch", "futex-one-cpu", "signal-two-cpus"] {
        let reason = of(&prices, name).refused.as_deref().unwrap();
        assert!(
            // Of two CPUs that cannot be used, either may be reported first.
            reason.contains("cannot run on CPU 6000"),
            "{name}: {reason}"
        );
    }
}

#[test]
fn without_real_time_the_mix_is_told() {
    let plan = Plan {
        real_time: false,
        ..Plan::quick()
    };
    let prices = prices_of(plan, &Machine::observe());
    assert_eq!(prices.scheduling.policy, "SCHED_OTHER");
    every_line_has_a_figure_or_a_reason(&prices);
    for part in &prices.parts {
        let switches = part.switches_expected.is_some_and(|number| number > 0.0);
        assert!(
            !switches || part.value.is_none() || part.mix.is_some(),
            "{part:?}"
        );
    }
    assert!(of(&prices, "futex-one-cpu").mix.is_some());
}

#[test]
fn without_real_time_the_kernel_counts_each_hand_over() {
    let plan = Plan {
        real_time: false,
        ..Plan::quick()
    };
    let machine = Machine::observe();
    let mut watcher = ();
    let session = Session::new(plan, &machine, &mut watcher);
    // So few that they finish even on a busy machine, with nothing before them that takes the time.
    let few = 20;
    let _turn = processors::alone();
    let batch = ping_pong(&session, FutexWords::default(), on_one_cpu(&session), few).unwrap();
    let mut series = Series::new(Some(1.0));
    series.look(batch);
    let part = Part::new("few", "few", super::super::Group::RoundTrip, "").counts(&series);
    let mix = part.mix.unwrap();
    assert_eq!(part.switches_counted, Some(mix.total()));
    // On one CPU, no side takes over without a switch; each side may have made its first before it began to count.
    let counted = mix.total() * few as f64;
    assert!(counted >= few as f64 - 2.5, "{counted}");
}
