//! The layout of the 48 bytes of a `pthread_cond_t`, and the owner of each field.
//!
//! | bytes | this library | the C library (glibc 2.25 to 2.41) | since 2.42 |
//! |---|---|---|---|
//! | 0-23 | the condition | sequence numbers, references | sequence numbers, sizes |
//! | 24-27 | the mark | the size of a group: near zero from either side | the size of a group: small |
//! | 28-31 | the clock: 0 realtime, 2 monotonic | the size of a group | bit 0: between processes |
//! | 36-39 | zero | bit 0: between processes | a sequence number |
//!
//! A condition between processes stays as the C library has made it, and is recognised by that bit: all other conditions are
//! zeros, or this library's. Its clock is bit 1 of the same word, in both layouts.

use core::ptr;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use libc::{CLOCK_MONOTONIC, CLOCK_REALTIME, clockid_t, pthread_cond_t};
use locktoll_locks::{Condition, DeadlineClock};

use crate::mark::{Found, Mark};
use crate::tally::{self, Object};

/// The clock word of a condition whose deadlines are on `CLOCK_MONOTONIC`.
const MONOTONIC: u32 = 2;
/// The C library's bit in its flags word.
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

/// Which library a condition belongs to.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// This library's, and settled.
    Ours(&'a ConditionObject),
    /// This library's, inherited by fork or never used: no thread waits for it in this process.
    Unsettled(&'a ConditionObject),
    /// The C library's, because other processes may use it.
    BetweenProcesses,
}

impl ConditionObject {
    /// Returns the program's object at this address.
    ///
    /// # Safety
    /// The program's own condition, as it passed it to a function on conditions.
    #[inline(always)]
    pub unsafe fn at<'a>(condition: *mut pthread_cond_t) -> &'a Self {
        // SAFETY: the caller's promise; every field is atomic or unused, and any bytes are valid.
        unsafe { &*condition.cast::<Self>() }
    }

    /// Returns which library it belongs to.
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
        // Relaxed, both: the C library wrote them in an earlier initialisation.
        let flags = self.flags.load(Relaxed) | self.clock.load(Relaxed);
        if !self.mark.is_used() && flags & BETWEEN_PROCESSES != 0 {
            Kind::BetweenProcesses
        } else {
            Kind::Unsettled(self)
        }
    }

    /// Returns the condition kept in the object, and makes or adopts it if necessary.
    #[inline]
    pub fn settled(&self) -> &Condition {
        if !self.mark.is_current() {
            self.settle(DeadlineClock::Realtime);
        }
        &self.condition
    }

    /// Makes the object anew when it is adopted: threads that waited when this process was forked off are not here. Only its
    /// clock is kept, as other objects keep whether they are held.
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
                // SAFETY: M1: nobody else uses it now, and nobody holds a reference into it (`kind` returns one only to
                // threads that have seen the mark). Its words are atomics, which may be written through a shared reference.
                unsafe { place.write(Condition::new()) };
            },
        );
    }

    /// Returns the clock of deadlines that are passed without a clock.
    pub fn clock(&self) -> DeadlineClock {
        // Relaxed: written when the object was made.
        if self.clock.load(Relaxed) & MONOTONIC != 0 {
            DeadlineClock::Monotonic
        } else {
            DeadlineClock::Realtime
        }
    }

    /// Makes the object, regardless of its contents.
    ///
    /// # Safety
    /// Nobody else uses it.
    pub unsafe fn initialise(&self, clock: DeadlineClock) {
        self.mark.clear();
        self.settle(clock);
    }

    /// Ends the object: waits for threads that still use it.
    pub fn retire(&self) {
        if self.mark.is_current() {
            self.condition.retire();
        }
        self.mark.clear();
    }
}

/// Returns the clock with that number, if deadlines may be on it.
pub fn clock_numbered(clock: clockid_t) -> Option<DeadlineClock> {
    match clock {
        CLOCK_REALTIME => Some(DeadlineClock::Realtime),
        CLOCK_MONOTONIC => Some(DeadlineClock::Monotonic),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
