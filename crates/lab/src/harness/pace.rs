//! A thread's actions around its acquisitions: think, wait for its schedule, hold, yield.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::cell::{Arrival, Cell, DELAY_LOOP_NS};
use crate::clock::{Clock, spin};
use crate::platform::Raised;
use crate::random::Random;

use super::control::Control;

/// Sleeps rather than spins if the next arrival is further away than this (a sleep and a wake-up take some tens of microseconds).
const SLEEP_ABOVE_NS: u64 = 200_000;

/// Longest sleep between two looks at the stop word.
const LONGEST_SLEEP_NS: u64 = 10_000_000;

/// The knobs of a cell in the form that the loop needs.
///
/// Not inlined: the loop is compiled for hundreds of locks and workloads, and one call costs little compared with a knob's
/// action.
pub(super) struct Pace {
    hold_loops: u64,
    delay: u64,
    delay_loops: u64,
    think_loops: u64,
    yield_holding: bool,
    yield_released: bool,
    gap_ns: f64,
    raised: Option<Raised>,
    /// The first priority that could not be set.
    refused: Mutex<Option<io::Error>>,
}

impl Pace {
    pub(super) fn of(cell: &Cell) -> Self {
        Self {
            hold_loops: cell.calibration.loops(cell.hold_ns),
            delay: u64::from(cell.delay),
            delay_loops: cell.calibration.loops(DELAY_LOOP_NS),
            think_loops: cell.calibration.loops(cell.think_ns),
            yield_holding: cell.sleep_points.while_holding(),
            yield_released: cell.sleep_points.after_releasing(),
            gap_ns: match cell.arrival {
                Arrival::Closed => 0.0,
                Arrival::Open { per_second } => 1e9 * f64::from(cell.threads) / per_second,
            },
            raised: (cell.raise_while_holding).then(|| Raised::over(cell.nice, cell.background)),
            refused: Mutex::new(None),
        }
    }

    /// Returns true if every knob is at rest, so that the loop can skip them all with one branch.
    pub(super) fn is_bare(&self) -> bool {
        self.hold_loops == 0
            && self.delay == 0
            && self.think_loops == 0
            && !self.yield_holding
            && !self.yield_released
            && self.gap_ns == 0.0
            && !self.raises()
    }

    /// Returns true if the holder's priority is raised.
    pub(super) fn raises(&self) -> bool {
        self.raised.is_some()
    }

    /// Raises the holder, if requested; called right after the acquisition.
    #[inline(never)]
    pub(super) fn raise(&self) {
        self.note(self.raised.map_or(Ok(()), Raised::raise));
    }

    /// Puts the holder back; called right before the release.
    #[inline(never)]
    pub(super) fn put_back(&self) {
        self.note(self.raised.map_or(Ok(()), Raised::put_back));
    }

    fn note(&self, done: io::Result<()>) {
        if let Err(error) = done {
            let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            refused.get_or_insert(error);
        }
    }

    /// Takes the first priority that could not be set, if any: if there is one, the slice measured something else.
    pub(super) fn take_refused(&self) -> Option<io::Error> {
        self.refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Does the work while holding.
    #[inline(never)]
    pub(super) fn hold(&self, random: &mut Random) {
        if self.hold_loops > 0 {
            spin(self.hold_loops);
        }
        if self.delay > 0 {
            spin(random.below(self.delay + 1) * self.delay_loops);
        }
        if self.yield_holding {
            std::thread::yield_now();
        }
    }

    /// Does the work after releasing.
    #[inline(never)]
    pub(super) fn released(&self) {
        if self.yield_released {
            std::thread::yield_now();
        }
    }

    /// Does the work before requesting the lock.
    #[inline(never)]
    pub(super) fn think(&self) {
        if self.think_loops > 0 {
            spin(self.think_loops);
        }
    }

    /// Returns the first arrival of a thread's schedule, in ticks, or `None` in a closed loop.
    pub(super) fn first_arrival(&self, clock: &Clock, random: &mut Random) -> Option<u64> {
        (self.gap_ns > 0.0).then(|| clock.now() + clock.ticks(self.gap(random)))
    }

    /// Returns the arrival after `arrival`, whether or not the thread has caught up with it.
    pub(super) fn next_arrival(&self, arrival: u64, clock: &Clock, random: &mut Random) -> u64 {
        arrival + clock.ticks(self.gap(random))
    }

    fn gap(&self, random: &mut Random) -> f64 {
        // Exponential gaps: the arrivals are independent of each other (a Poisson process).
        -self.gap_ns * (1.0 - random.unit()).ln()
    }
}

/// Waits until `arrival` (ticks); returns false if the slice ended first.
pub(super) fn await_arrival(arrival: u64, clock: &Clock, control: &Control) -> bool {
    loop {
        let now = clock.now();
        if now >= arrival {
            return true;
        }
        if Control::is_stop(control.turn()) {
            return false;
        }
        let left_ns = clock.ns(arrival - now) as u64;
        if left_ns > SLEEP_ABOVE_NS {
            let nap_ns = (left_ns - SLEEP_ABOVE_NS / 2).min(LONGEST_SLEEP_NS);
            std::thread::sleep(Duration::from_nanos(nap_ns));
        } else {
            std::hint::spin_loop();
        }
    }
}
