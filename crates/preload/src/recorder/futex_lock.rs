//! The lock for the data that threads share.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::sys;

/// A lock of three states: 0 free, 1 taken, 2 taken and somebody may sleep (Drepper, Futexes Are Tricky, 2004).
pub struct FutexLock(AtomicU32);

impl FutexLock {
    /// Waits until it is free, and takes it.
    pub fn acquire(&self) {
        // Acquire: what the last holder did happens before what we do.
        if self.0.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            while self.0.swap(2, Acquire) != 0 {
                sys::futex_wait(&self.0, 2);
            }
        }
    }

    pub fn release(&self) {
        // Release: what we did happens before what the next holder does.
        if self.0.swap(0, Release) == 2 {
            sys::futex_wake_one(&self.0);
        }
    }
}
