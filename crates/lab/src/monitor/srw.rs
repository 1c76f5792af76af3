//! `SRWLOCK` and `CONDITION_VARIABLE`.
//!
//! # Invariants
//!
//! - **S1** Both objects were initialised by their constant initialisers and are not used before the monitor has reached its
//!   place; from then on they stay there, since every use borrows the monitor.
//! - **S2** A [`Held`] exists only on the thread that holds the lock, once for each acquisition: it is neither `Send` nor `Clone`.

use std::cell::UnsafeCell;
use std::marker::PhantomData;

use windows_sys::Win32::System::Threading::{
    AcquireSRWLockExclusive, CONDITION_VARIABLE, CONDITION_VARIABLE_INIT, INFINITE,
    ReleaseSRWLockExclusive, SRWLOCK, SRWLOCK_INIT, SleepConditionVariableSRW,
    WakeAllConditionVariable, WakeConditionVariable,
};

use super::{Monitor, Side};

/// The name of its lock in the registry of locks.
pub(super) const NAME: &str = "srwlock";

/// A slim reader-writer lock, exclusive, with its conditions.
pub(super) struct System {
    lock: UnsafeCell<SRWLOCK>,
    conditions: [UnsafeCell<CONDITION_VARIABLE>; 2],
}

// SAFETY: both are made for use by several threads; moved only before their first use (S1).
unsafe impl Send for System {}
// SAFETY: as above.
unsafe impl Sync for System {}

/// The lock, held.
pub(super) struct Held<'a> {
    monitor: &'a System,
    /// The thread that locked must unlock (S2).
    not_send: PhantomData<*const ()>,
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: S1, S2.
        unsafe { ReleaseSRWLockExclusive(self.monitor.lock.get()) };
    }
}

impl Monitor for System {
    type Held<'a> = Held<'a>;

    fn new() -> Self {
        Self {
            lock: UnsafeCell::new(SRWLOCK_INIT),
            conditions: [const { UnsafeCell::new(CONDITION_VARIABLE_INIT) }; 2],
        }
    }

    #[inline]
    fn enter(&self) -> Held<'_> {
        // SAFETY: S1.
        unsafe { AcquireSRWLockExclusive(self.lock.get()) };
        Held {
            monitor: self,
            not_send: PhantomData,
        }
    }

    #[inline]
    fn wait<'a>(&'a self, held: Held<'a>, side: Side) -> Held<'a> {
        let condition = self.conditions[side.index()].get();
        // SAFETY: S1; the calling thread holds the lock exclusively (S2, and flags of 0 say so), and holds it again
        // afterwards, so `held` stays true.
        let woken = unsafe { SleepConditionVariableSRW(condition, self.lock.get(), INFINITE, 0) };
        debug_assert_ne!(woken, 0, "SleepConditionVariableSRW");
        held
    }

    #[inline]
    fn signal(&self, side: Side) {
        // SAFETY: S1.
        unsafe { WakeConditionVariable(self.conditions[side.index()].get()) };
    }

    #[inline]
    fn broadcast(&self, side: Side) {
        // SAFETY: S1.
        unsafe { WakeAllConditionVariable(self.conditions[side.index()].get()) };
    }
}
