//! The lock that protects the data shared by threads.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::sys;

/// A lock with three states: 0 free, 1 taken, 2 taken and somebody may be sleeping (Drepper, Futexes Are Tricky, 2004).
pub struct FutexLock(AtomicU32);

impl FutexLock {
    /// Waits until the lock is free, and takes it.
    pub fn acquire(&self) {
        // Acquire: the last holder's work happens before this thread's.
        if self.0.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            while self.0.swap(2, Acquire) != 0 {
                sys::futex_wait(&self.0, 2);
            }
        }
    }

    pub fn release(&self) {
        // Release: this thread's work happens before the next holder's.
        if self.0.swap(0, Release) == 2 {
            sys::futex_wake_one(&self.0);
        }
    }
}
