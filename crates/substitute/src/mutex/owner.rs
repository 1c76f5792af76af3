//! The holder of a recursive or error-checking mutex.
//!
//! The C library identifies threads by the kernel's numbers, so with it a forked child does not own the mutexes that its
//! parent held. POSIX requires that it own them, and here it does ([`crate::thread`]). Two threads that live one after another
//! may have the same identity: if a thread ends while it holds a mutex, the next thread with its identity owns it. POSIX
//! leaves that case undefined.

use core::sync::atomic::Ordering::Relaxed;

use super::object::MutexObject;
use crate::thread::{caller, known_after_fork};

pub const NOBODY: u64 = 0;

impl MutexObject {
    /// Whether the calling thread holds this mutex, which stores its owner.
    #[inline]
    pub fn is_callers(&self) -> bool {
        // Relaxed: O2: a value that another thread wrote is not the caller.
        self.owner.load(Relaxed) == caller()
    }

    /// Notes that the calling thread has acquired the mutex, or that its holder is about to release it.
    #[inline]
    pub fn note_owner(&self, owner: u64, count: u32) {
        // Relaxed, both: O2; the lock orders them between one holder and the next.
        self.owner.store(owner, Relaxed);
        self.count.store(count, Relaxed);
    }

    /// In a forked child: forgets an owner that does not exist there.
    pub fn forget_owner_that_is_gone(&self) {
        // Relaxed: the object is being settled.
        let owner = known_after_fork(self.owner.load(Relaxed));
        self.owner.store(owner, Relaxed);
    }
}
