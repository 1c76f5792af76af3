//! A lock of `locktoll-locks` with its condition variable.
//!
//! # Invariants
//!
//! - **O1** A [`Held`] exists once for each acquisition of the lock, and is used up by the release in its `drop`.
//! - **O2** All threads that wait for a condition of a monitor hold that monitor's lock: there is no other way to wait.

use locktoll_locks::{Condition, RawLock};

use super::{Monitor, Side};

/// The lock `L` with its conditions.
pub(super) struct Ours<L> {
    lock: L,
    conditions: [Condition; 2],
}

/// The lock, held.
pub(super) struct Held<'a, L: RawLock> {
    lock: &'a L,
}

impl<L: RawLock> Drop for Held<'_, L> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: O1.
        unsafe { self.lock.unlock() }
    }
}

impl<L: RawLock + 'static> Monitor for Ours<L> {
    type Held<'a> = Held<'a, L>;

    fn new() -> Self {
        Self {
            lock: L::new(),
            conditions: [Condition::new(), Condition::new()],
        }
    }

    #[inline]
    fn enter(&self) -> Held<'_, L> {
        self.lock.lock();
        Held { lock: &self.lock }
    }

    #[inline]
    fn wait<'a>(&'a self, held: Held<'a, L>, side: Side) -> Held<'a, L> {
        // SAFETY: the calling thread holds the lock (O1), as do all threads that wait (O2).
        unsafe { self.conditions[side.index()].wait(&self.lock, None) };
        held
    }

    #[inline]
    fn signal(&self, side: Side) {
        self.conditions[side.index()].signal();
    }

    #[inline]
    fn broadcast(&self, side: Side) {
        self.conditions[side.index()].broadcast();
    }
}
