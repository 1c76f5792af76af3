//! Tests the probes as a whole, on any system that runs them.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use windows_sys::Win32::Foundation::WAIT_OBJECT_0;
use windows_sys::Win32::System::Threading::{
    CRITICAL_SECTION, CreateMutexW, EnterCriticalSection, INFINITE, InitializeCriticalSection,
    LeaveCriticalSection, ReleaseMutex, WaitForSingleObject,
};

use super::object::events;
use super::{measure, measure_timers};
use crate::machine::{Machine, usable_cpus};
use crate::probe::interleave::Probe;
use crate::probe::paired::paired;
use crate::probe::ping_pong::{HandOver, Place, ping_pong};
use crate::probe::session::Session;
use crate::probe::{Part, Plan, Prices};
use crate::processors;

fn with_session<R>(test: impl FnOnce(&Session<'_>) -> R) -> R {
    let machine = Machine::observe();
    test(&Session::new(Plan::quick(), &machine, &mut ()))
}

/// Measures these families alone.
fn prices_of(machine: &Machine) -> Prices {
    let mut watcher = ();
    let session = Session::new(Plan::quick(), machine, &mut watcher).patient();
    let mut prices = Prices::default();
    let _turn = processors::alone();
    measure(&session, &mut prices);
    measure_timers(&session, &mut prices);
    prices
}

fn of<'a>(prices: &'a Prices, name: &str) -> &'a Part {
    let found = prices.parts.iter().find(|part| part.name == name);
    found.unwrap_or_else(|| panic!("no part {name}"))
}

fn every_line_has_a_figure_or_a_reason(prices: &Prices) {
    for part in &prices.parts {
        assert_eq!(part.value.is_none(), part.refused.is_some(), "{part:?}");
        assert!(part.mix.is_none(), "nobody tells kinds apart: {part:?}");
        let belongs = part.switches_expected.is_some_and(|number| number > 0.0);
        if belongs && part.value.is_some() && part.switches_counted.is_none() {
            let note = part.note.as_deref().unwrap_or_default();
            assert!(note.contains("not counted here"), "{part:?}");
        }
    }
}

#[test]
fn every_probe_yields_a_figure_or_a_reason() {
    let prices = prices_of(&Machine::observe());
    every_line_has_a_figure_or_a_reason(&prices);
    let split = &prices.decomposition;
    let missing = split.same_cpu.is_none() || split.cross_cpu.is_none();
    assert_eq!(missing, split.refused.is_some(), "{split:?}");
    for side in [&split.same_cpu, &split.cross_cpu].into_iter().flatten() {
        assert_eq!(side.arms.len() + side.arms_refused.len(), 3, "{side:?}");
        let names: Vec<&str> = side.parts.iter().map(|share| share.name.as_str()).collect();
        assert_eq!(names[..3], ["system-calls", "switch", "scheduler"]);
    }
    // Probes of a single thread are measured even on the busiest machine.
    for name in [
        "syscall",
        "wake-address-none",
        "qpc",
        "own-clock",
        "timer-resolution",
        "sleep-1ms",
    ] {
        let value = of(&prices, name).value;
        assert!(
            value.is_some_and(|ns| ns.median > 0.0),
            "{:?}",
            of(&prices, name)
        );
    }
    // A sleep of a millisecond takes at least one, except for the difference between clocks.
    assert!(of(&prices, "sleep-1ms").value.unwrap().median > 0.9e6);
}

#[test]
fn one_cpu_is_enough_for_what_needs_one() {
    let mut machine = Machine::observe();
    machine.usable_cpus.truncate(1);
    machine.topology.cpus.truncate(1);
    let affinity = usable_cpus().unwrap();
    let prices = prices_of(&machine);
    assert_eq!(usable_cpus().unwrap(), affinity);
    every_line_has_a_figure_or_a_reason(&prices);
    for name in [
        "event-two-cpus",
        "address-two-cpus",
        "migration",
        "idle-exit",
    ] {
        let reason = of(&prices, name).refused.as_deref().unwrap();
        assert!(reason.contains("only one CPU"), "{name}: {reason}");
    }
    assert_eq!(prices.decomposition.cross_cpu, None);
}

/// Counts its own hand-overs.
struct Counting<H> {
    inner: H,
    wakes: Arc<[AtomicU64; 2]>,
    waits: Arc<[AtomicU64; 2]>,
}

impl<H: HandOver> HandOver for Counting<H> {
    fn wake(&self, side: usize) -> io::Result<()> {
        // Relaxed: read once both sides have reported.
        self.wakes[side].fetch_add(1, Ordering::Relaxed);
        self.inner.wake(side)
    }

    fn wait(&self, side: usize) -> io::Result<()> {
        self.inner.wait(side)?;
        self.waits[side].fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

fn hand_overs_add_up(places: impl IntoIterator<Item = Place>, session: &Session<'_>) {
    const HAND_OVERS: u64 = 100;
    for place in places {
        let [wakes, waits] = std::array::from_fn(|_| Arc::new([const { AtomicU64::new(0) }; 2]));
        let arm = Counting {
            inner: events().unwrap(),
            wakes: Arc::clone(&wakes),
            waits: Arc::clone(&waits),
        };
        let batch = ping_pong(session, arm, place, HAND_OVERS).unwrap();
        assert_eq!(batch.units, HAND_OVERS);
        let rounds = HAND_OVERS / 2;
        let warm_up = rounds / 10 + 5;
        let seen = |counts: &[AtomicU64; 2]| counts.each_ref().map(|n| n.load(Ordering::Relaxed));
        assert_eq!(seen(&wakes), [rounds + warm_up; 2]);
        assert_eq!(seen(&waits), [rounds + warm_up; 2]);
    }
}

#[test]
fn each_wake_ends_one_wait() {
    with_session(|session| {
        let home = session.home_cpu();
        let far = session.far_cpu().unwrap_or(home);
        let _turn = processors::alone();
        hand_overs_add_up([[home; 2], [home, far]].map(Place::on), session);
    });
}

#[test]
fn a_kernel_object_costs_far_more_than_a_lock_that_stays_in_user_mode() {
    let section = Probe::new("critical section", Some(0.0), |session, units| {
        session.solo(units, || {
            let mut section = Box::new(CRITICAL_SECTION::default());
            // SAFETY: its own memory, which stays where it is; it is never deleted, and owns only memory of this test.
            unsafe { InitializeCriticalSection(&raw mut *section) };
            Ok(move || {
                // SAFETY: initialised above; entered and left by this thread.
                unsafe {
                    EnterCriticalSection(&raw mut *section);
                    LeaveCriticalSection(&raw mut *section);
                }
                Ok(())
            })
        })
    });
    let mutex = Probe::new("mutex", Some(0.0), |session, units| {
        session.solo(units, || {
            // SAFETY: passes neither attributes nor a name; the handle is new and nobody else's.
            let mutex = unsafe {
                OwnedHandle::from_raw_handle(CreateMutexW(std::ptr::null(), 0, std::ptr::null()))
            };
            Ok(move || {
                // SAFETY: the handle is open; taken and released by this thread.
                let (taken, released) = unsafe {
                    (
                        WaitForSingleObject(mutex.as_raw_handle(), INFINITE),
                        ReleaseMutex(mutex.as_raw_handle()),
                    )
                };
                match (taken, released) {
                    (WAIT_OBJECT_0, 1) => Ok(()),
                    _ => Err(io::Error::last_os_error()),
                }
            })
        })
    });
    with_session(|session| {
        let _turn = processors::alone();
        let series = session.interleave(&[section, mutex], Duration::from_secs(5));
        let ratio = paired([&series[1], &series[0]], |[mutex, section]| {
            mutex.ns / section.ns
        });
        // A few instructions are compared with a round trip to its server under Wine, and with a system call on Windows.
        let far_more = match crate::platform::stand_in() {
            Some(_) => 20.0,
            None => 3.0,
        };
        assert!(ratio.clone().unwrap().median > far_more, "{ratio:?}");
    });
}
