//! The layout of the 48 bytes of a `pthread_cond_t`, and the owner of each field.
//!
//! | bytes | this library's | the C library's (glibc 2.25 to 2.41) | since 2.42 |
//! |---|---|---|---|
//! | 0-23 | the condition | sequence numbers, references | sequence numbers, sizes |
//! | 24-27 | the mark | the size of a group: near zero from either side | the size of a group: small |
//! | 28-31 | the clock: 0 realtime, 2 monotonic | the size of a group | bit 0: between processes |
//! | 36-39 | zero | bit 0: between processes | a sequence number |
//!
//! A condition between processes stays as the C library has made it, and is recognised by that bit: all others are zeros, or
//! this library's. Their clock is bit 1 of the same word, in both layouts.

use core::ptr;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use libc::{CLOCK_MONOTONIC, CLOCK_REALTIME, clockid_t, pthread_cond_t};
use locktoll_locks::{Condition, DeadlineClock};

use crate::mark::{Found, Mark};
use crate::tally::{self, Object};

/// The clock word of a condition whose deadlines are read on `CLOCK_MONOTONIC`.
const MONOTONIC: u32 = 2;
/// The C library's bit in its word of flags.
const BETWEEN_PROCESSES: u32 = 1;

/// The program's condition.
#[repr(C)]
#[derive(Debug)]
pub struct ConditionObject {
    condition: Condition,
    mark: Mark,
    clock: AtomicU32,
    _unused: u32,
    flags: AtomicU32,
    _rest: [u32; 2],
}

const _: () = assert!(size_of::<ConditionObject>() == size_of::<pthread_cond_t>());
const _: () = assert!(align_of::<ConditionObject>() <= align_of::<pthread_cond_t>());

/// Whose a condition is.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// Ours, and settled.
    Ours(&'a ConditionObject),
    /// Ours, inherited by fork or never used: nobody waits for it in this process.
    Unsettled(&'a ConditionObject),
    /// The C library's, since other processes may use it.
    BetweenProcesses,
}

impl ConditionObject {
    /// The object that the program calls by this address.
    ///
    /// # Safety
    /// The program's own condition, as it handed it to a function on conditions.
    #[inline(always)]
    pub unsafe fn at<'a>(condition: *mut pthread_cond_t) -> &'a Self {
        // SAFETY: the caller's promise; every field is atomic or unused, and whatever bytes are there are valid.
        unsafe { &*condition.cast::<Self>() }
    }

    /// Whose it is.
    #[inline(always)]
    pub fn kind(&self) -> Kind<'_> {
        if self.mark.is_current() {
            Kind::Ours(self)
        } else {
            self.kind_of_the_rest()
        }
    }

    #[cold]
    fn kind_of_the_rest(&self) -> Kind<'_> {
        // Relaxed, both: the C library wrote them in an initialisation that happened before.
        let flags = self.flags.load(Relaxed) | self.clock.load(Relaxed);
        if !self.mark.is_used() && flags & BETWEEN_PROCESSES != 0 {
            Kind::BetweenProcesses
        } else {
            Kind::Unsettled(self)
        }
    }

    /// What is kept in the object, made or adopted if need be.
    #[inline]
    pub fn settled(&self) -> &Condition {
        if !self.mark.is_current() {
            self.settle(DeadlineClock::Realtime);
        }
        &self.condition
    }

    /// Whoever waited when this process was forked off is not here, so a condition that is adopted is made anew; its clock is
    /// what is kept of it, as others keep whether they are held.
    #[cold]
    fn settle(&self, clock: DeadlineClock) {
        self.mark.settle(
            || self.clock() == DeadlineClock::Monotonic,
            |found| {
                let clock = match found {
                    Found::Inherited { held: true } => DeadlineClock::Monotonic,
                    Found::Inherited { held: false } => DeadlineClock::Realtime,
                    Found::Unused => {
                        tally::count_replaced(Object::Condition);
                        clock
                    }
                };
                let word = if clock == DeadlineClock::Monotonic {
                    MONOTONIC
                } else {
                    0
                };
                // Relaxed, both: the mark is stored with release afterwards.
                self.clock.store(word, Relaxed);
                self.flags.store(0, Relaxed);
                let place = ptr::from_ref(&self.condition).cast_mut();
                // SAFETY: M1: nobody else uses it now, and nobody holds a reference into it (`kind` gives it to those
                // alone who have seen the mark). Its words are atomics, which may be written through a shared reference.
                unsafe { place.write(Condition::new()) };
            },
        );
    }

    /// The clock of deadlines that come without one.
    pub fn clock(&self) -> DeadlineClock {
        // Relaxed: written when the object was made.
        if self.clock.load(Relaxed) & MONOTONIC != 0 {
            DeadlineClock::Monotonic
        } else {
            DeadlineClock::Realtime
        }
    }

    /// Makes the object, whatever was there.
    ///
    /// # Safety
    /// Nobody else uses it.
    pub unsafe fn initialise(&self, clock: DeadlineClock) {
        self.mark.clear();
        self.settle(clock);
    }

    /// The end of the object: waits for those who still touch it.
    pub fn retire(&self) {
        if self.mark.is_current() {
            self.condition.retire();
        }
        self.mark.clear();
    }
}

/// The clock of that number, if deadlines may be read on it.
pub fn clock_numbered(clock: clockid_t) -> Option<DeadlineClock> {
    match clock {
        CLOCK_REALTIME => Some(DeadlineClock::Realtime),
        CLOCK_MONOTONIC => Some(DeadlineClock::Monotonic),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
