//! The release for systems on which every release is an exchange.

use super::super::RawMutex;
use super::super::word::is_free;
use crate::sync::{AtomicU64, Ordering};

/// Returns the mark that the calling thread leaves in a lock that it acquires.
#[inline(always)]
pub(in super::super) fn own_mark() -> u32 {
    1
}

/// Takes the lock if it is free, even if other threads wait for it.
#[inline(always)]
pub(in super::super) fn try_acquire(word: &AtomicU64) -> bool {
    let mut state = 0;
    loop {
        // Acquire: pairs with the releases. Relaxed on failure: nothing acquired.
        match word.compare_exchange(
            state,
            state | u64::from(own_mark()),
            Ordering::Acquire,
            Ordering::Relaxed,
        ) {
            Ok(_) => return true,
            Err(now) if is_free(now) => state = now,
            Err(_) => return false,
        }
    }
}

/// Frees a held lock that nobody waits for. Returns `false` if nothing was done.
#[inline(always)]
pub(in super::super) fn try_release(lock: &RawMutex) -> bool {
    // Release: what the holder did is visible to the next thread that acquires. Relaxed on failure: nothing released.
    lock.word
        .compare_exchange(own_mark().into(), 0, Ordering::Release, Ordering::Relaxed)
        .is_ok()
}

/// Always false: marks do not say where their threads ran.
#[inline(always)]
pub(in super::super) fn is_here(_mark: u32) -> bool {
    false
}

/// Nobody releases by a store.
pub(in super::super) fn barrier(_: &RawMutex) -> bool {
    true
}

/// For ever: an exchange misses no request.
pub(in super::super) fn longest_sleep_ns() -> Option<u64> {
    None
}

/// Nobody releases by a store.
pub(in super::super) fn prepare() -> bool {
    false
}
