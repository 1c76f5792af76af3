//! The System V semaphores of this process that exist now.
//!
//! A semaphore outlives its process, so a harness that ends without dropping its locks (a stuck cell, a signal) has to remove
//! them itself. The list is a static array of atomics, so that a signal handler can do this.
//!
//! # Invariants
//!
//! - **V1** A place holds [`EMPTY`] or the identifier of a semaphore that this process made and has
//!   not removed, or is just removing.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::Relaxed};

/// Linux allows 32,000 sets in a namespace by default (`/proc/sys/kernel/sem`).
const PLACES: usize = 32_768;
/// Identifiers are never negative.
const EMPTY: i32 = -1;

/// Relaxed throughout: each place is independent, and a signal handler on the same thread sees that thread's writes.
static IDS: [AtomicI32; PLACES] = [const { AtomicI32::new(EMPTY) }; PLACES];
/// Places from this index on have never been used.
static USED: AtomicUsize = AtomicUsize::new(0);

/// An entry, removed when dropped.
pub(super) struct Registration {
    place: usize,
    id: i32,
}

impl Registration {
    /// Enters `id`; `None` when the registry is full.
    pub(super) fn new(id: i32) -> Option<Registration> {
        // Read before the exchange, which is many times more expensive.
        let take = |place: &AtomicI32| {
            place.load(Relaxed) == EMPTY
                && place.compare_exchange(EMPTY, id, Relaxed, Relaxed).is_ok()
        };
        let place = IDS.iter().position(take)?;
        USED.fetch_max(place + 1, Relaxed);
        Some(Registration { place, id })
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        // Not a plain store: `remove_all` may have emptied the place, and another semaphore may be
        // in it by now.
        let _ = IDS[self.place].compare_exchange(self.id, EMPTY, Relaxed, Relaxed);
    }
}

/// Removes every System V semaphore of this process's live contenders, whether or not a thread holds it or waits for it (waiters
/// get `EIDRM`). Returns the number of semaphores removed.
///
/// Async-signal-safe: atomics and semctl(2), no allocation, no lock. For a process that is about
/// to end: contenders still in use panic at their next operation.
pub fn remove_all() -> usize {
    remove_all_of(&IDS[..USED.load(Relaxed)])
}

fn remove_all_of(places: &[AtomicI32]) -> usize {
    places.iter().filter(|place| remove(place)).count()
}

fn remove(place: &AtomicI32) -> bool {
    let id = place.swap(EMPTY, Relaxed);
    // SAFETY: IPC_RMID takes no fourth argument; the identifier is ours (V1), and if it has just
    // been removed the call fails without effect.
    id != EMPTY && unsafe { libc::semctl(id, 0, libc::IPC_RMID) } == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_locks::SysvSemaphore;

    fn exists(id: i32) -> bool {
        // SAFETY: GETVAL takes no fourth argument.
        unsafe { libc::semctl(id, 0, libc::GETVAL) >= 0 }
    }

    // Uses its own places: the registry holds the locks of the tests that run concurrently.
    #[test]
    fn semaphores_are_removed_without_their_locks() {
        let locks = [(); 3].map(|()| SysvSemaphore::create().unwrap());
        let ids = locks.each_ref().map(|lock| lock.id().unwrap());
        let places = [ids[0], EMPTY, ids[1], ids[2]].map(AtomicI32::new);
        assert_eq!(remove_all_of(&places), 3);
        assert!(ids.iter().all(|id| !exists(*id)));
        assert_eq!(remove_all_of(&places), 0);
    }

    #[test]
    fn a_registered_semaphore_is_where_all_are_removed() {
        let lock = SysvSemaphore::create().unwrap();
        let registration = Registration::new(lock.id().unwrap()).unwrap();
        let reached = &IDS[..USED.load(Relaxed)];
        assert_eq!(reached[registration.place].load(Relaxed), registration.id);
    }

    #[test]
    fn dropping_the_lock_frees_the_place_and_the_semaphore() {
        let lock = SysvSemaphore::create().unwrap();
        let id = lock.id().unwrap();
        let registration = Registration::new(id).unwrap();
        let place = registration.place;
        drop(lock);
        assert!(!exists(id));
        drop(registration);
        assert_ne!(IDS[place].load(Relaxed), id);
    }
}
