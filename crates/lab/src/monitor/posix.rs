//! `pthread_mutex_t` and `pthread_cond_t`.
//!
//! # Invariants
//!
//! - **P1** Both objects were initialised by their constant initialisers and are not used before the monitor has reached its
//!   place; from then on they stay there, since every use borrows the monitor.
//! - **P2** A [`Held`] exists only on the thread that holds the mutex, once for each acquisition: it is neither `Send` nor `Clone`.

use std::cell::UnsafeCell;
use std::marker::PhantomData;

use super::{Monitor, Side};

/// The name of its mutex in the registry of locks.
pub(super) const NAME: &str = "pthread";

/// A mutex of the default kind with its conditions.
pub(super) struct System {
    mutex: UnsafeCell<libc::pthread_mutex_t>,
    conditions: [UnsafeCell<libc::pthread_cond_t>; 2],
}

// SAFETY: both are made for use by several threads; moved only before their first use (P1).
unsafe impl Send for System {}
// SAFETY: as above.
unsafe impl Sync for System {}

/// The mutex, held.
pub(super) struct Held<'a> {
    monitor: &'a System,
    /// The thread that locked must unlock (P2).
    not_send: PhantomData<*const ()>,
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: P1, P2.
        let code = unsafe { libc::pthread_mutex_unlock(self.monitor.mutex.get()) };
        debug_assert_eq!(code, 0, "pthread_mutex_unlock");
    }
}

impl Drop for System {
    fn drop(&mut self) {
        // SAFETY: P1; no thread holds the mutex or waits, since either would borrow the monitor.
        unsafe {
            for condition in &self.conditions {
                libc::pthread_cond_destroy(condition.get());
            }
            libc::pthread_mutex_destroy(self.mutex.get());
        }
    }
}

impl Monitor for System {
    type Held<'a> = Held<'a>;

    fn new() -> Self {
        Self {
            mutex: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER),
            conditions: [const { UnsafeCell::new(libc::PTHREAD_COND_INITIALIZER) }; 2],
        }
    }

    #[inline]
    fn enter(&self) -> Held<'_> {
        // SAFETY: P1.
        let code = unsafe { libc::pthread_mutex_lock(self.mutex.get()) };
        debug_assert_eq!(code, 0, "pthread_mutex_lock");
        Held {
            monitor: self,
            not_send: PhantomData,
        }
    }

    #[inline]
    fn wait<'a>(&'a self, held: Held<'a>, side: Side) -> Held<'a> {
        let condition = self.conditions[side.index()].get();
        // SAFETY: P1; the calling thread holds the mutex (P2), and holds it again afterwards, so `held` stays true.
        let code = unsafe { libc::pthread_cond_wait(condition, self.mutex.get()) };
        debug_assert_eq!(code, 0, "pthread_cond_wait");
        held
    }

    #[inline]
    fn signal(&self, side: Side) {
        // SAFETY: P1.
        unsafe { libc::pthread_cond_signal(self.conditions[side.index()].get()) };
    }

    #[inline]
    fn broadcast(&self, side: Side) {
        // SAFETY: P1.
        unsafe { libc::pthread_cond_broadcast(self.conditions[side.index()].get()) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Lengths, race};

    #[test]
    fn it_races_under_its_own_name() {
        let lengths = Lengths {
            hand_overs: 1,
            broadcasts: 0,
            waiters: 0,
        };
        let results = race(1, lengths);
        assert!(results.iter().any(|result| result.lock == "pthread"));
    }
}
