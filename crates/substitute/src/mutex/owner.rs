//! Who holds a recursive or error-checking mutex.
//!
//! The C library knows threads by the kernel's numbers, so that in it a forked child does not own what its parent held; POSIX
//! wants it to, and here it does ([`crate::thread`]). Of two threads that live one after another both may have the same
//! identity: a thread that ends holding a mutex leaves it to whoever has its identity next, where POSIX leaves undefined what happens.

use core::sync::atomic::Ordering::Relaxed;

use super::object::MutexObject;
use crate::thread::{caller, known_after_fork};

pub const NOBODY: u64 = 0;

impl MutexObject {
    /// Whether the calling thread holds this mutex, which keeps its owner.
    #[inline]
    pub fn is_callers(&self) -> bool {
        // Relaxed: O2: what another thread wrote is not the caller.
        self.owner.load(Relaxed) == caller()
    }

    /// Notes that the calling thread has acquired the mutex, or that its holder is about to release it.
    #[inline]
    pub fn note_owner(&self, owner: u64, count: u32) {
        // Relaxed, both: O2; ordered by the lock between one holder and the next.
        self.owner.store(owner, Relaxed);
        self.count.store(count, Relaxed);
    }

    /// In a forked child: forgets an owner that is not here.
    pub fn forget_owner_that_is_gone(&self) {
        // Relaxed: the object is being settled.
        let owner = known_after_fork(self.owner.load(Relaxed));
        self.owner.store(owner, Relaxed);
    }
}
