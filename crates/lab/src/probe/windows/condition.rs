//! Windows' condition variable, one for each side, and a slim reader-writer lock that both share.

use std::cell::UnsafeCell;
use std::io;

use windows_sys::Win32::System::Threading::{
    AcquireSRWLockExclusive, CONDITION_VARIABLE, CONDITION_VARIABLE_INIT, INFINITE,
    ReleaseSRWLockExclusive, SRWLOCK, SRWLOCK_INIT, SleepConditionVariableSRW,
    WakeConditionVariable,
};

use crate::probe::ping_pong::HandOver;

/// 1. Nothing here is used before it is in its final place behind an `Arc`, and nothing is moved afterwards.
/// 2. `may_go` is touched only by the thread that holds `lock`.
pub(super) struct Conditions {
    lock: UnsafeCell<SRWLOCK>,
    conditions: [UnsafeCell<CONDITION_VARIABLE>; 2],
    may_go: [UnsafeCell<bool>; 2],
}

// SAFETY: Windows' objects may be used by several threads (invariant 1); the rest follows invariant 2.
unsafe impl Send for Conditions {}
// SAFETY: as above.
unsafe impl Sync for Conditions {}

impl Conditions {
    pub fn new() -> Conditions {
        Conditions {
            lock: UnsafeCell::new(SRWLOCK_INIT),
            conditions: [const { UnsafeCell::new(CONDITION_VARIABLE_INIT) }; 2],
            may_go: [const { UnsafeCell::new(false) }; 2],
        }
    }
}

impl HandOver for Conditions {
    /// Signals after the release: otherwise a thread that is woken on another CPU would find the lock held, and sleep again.
    #[inline]
    fn wake(&self, side: usize) -> io::Result<()> {
        // SAFETY: invariants 1 and 2.
        unsafe {
            AcquireSRWLockExclusive(self.lock.get());
            *self.may_go[side].get() = true;
            ReleaseSRWLockExclusive(self.lock.get());
            WakeConditionVariable(self.conditions[side].get());
        }
        Ok(())
    }

    #[inline]
    fn wait(&self, side: usize) -> io::Result<()> {
        // SAFETY: invariants 1 and 2; the wait releases the lock and holds it again when it returns.
        unsafe {
            AcquireSRWLockExclusive(self.lock.get());
            while !*self.may_go[side].get() {
                let (condition, lock) = (self.conditions[side].get(), self.lock.get());
                if SleepConditionVariableSRW(condition, lock, INFINITE, 0) == 0 {
                    let error = io::Error::last_os_error();
                    ReleaseSRWLockExclusive(lock);
                    return Err(error);
                }
            }
            *self.may_go[side].get() = false;
            ReleaseSRWLockExclusive(self.lock.get());
        }
        Ok(())
    }
}
