//! The time until a woken thread runs on this machine, as measured at the most recent wake-ups.
//!
//! A thread that would sleep for less than this time spins. A woken thread compares the clock with the moment at which the
//! release began to wake it. The estimate follows short times at once and long ones slowly: the time of a thread that had to
//! wait for a processor says nothing about the machine.

use core::sync::atomic::{AtomicU32, AtomicU64 as Ticks, AtomicUsize};

use crate::clock;
use crate::sync::Ordering;

/// In units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS): 10 us until something has been measured.
static UNITS: AtomicU32 = AtomicU32::new(400);
const SHORTEST: u32 = 80;
const LONGEST: u32 = 2000;
/// The time and the address of the last wake-up of an heir, of any lock of this type. If another wake-up comes before the
/// woken thread can check, the earlier one is not measured.
static WOKEN_AT: Ticks = Ticks::new(0);
static WOKEN: AtomicUsize = AtomicUsize::new(0);

/// To be called right before the thread that sleeps at an address is woken.
pub(super) fn begins<T>(at: *const T) {
    // Relaxed, as everywhere here: only figures.
    WOKEN_AT.store(clock::now(), Ordering::Relaxed);
    WOKEN.store(at.addr(), Ordering::Relaxed);
}

/// To be called by a thread that has been woken there.
pub(super) fn ends<T>(at: *const T) {
    if WOKEN.load(Ordering::Relaxed) == at.addr() {
        took(clock::units_since(WOKEN_AT.load(Ordering::Relaxed)));
    }
}

/// Notes how long a wake-up took.
pub(super) fn took(units: u32) {
    let before = UNITS.load(Ordering::Relaxed);
    let took = units.clamp(SHORTEST, LONGEST);
    let after = if took < before {
        before - (before - took) / 4
    } else {
        before + (took - before) / 32
    };
    UNITS.store(after, Ordering::Relaxed);
}

/// Returns how long to spin at most, in units.
pub(super) fn units() -> u32 {
    // A model need not check twice.
    if cfg!(locktoll_loom) {
        1
    } else {
        UNITS.load(Ordering::Relaxed)
    }
}
