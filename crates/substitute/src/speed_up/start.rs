//! The beginning.

use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

use super::{around, crowd, ending, rwlock, saved};

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Whether holds are sped up in this process.
#[inline(always)]
pub fn is_on() -> bool {
    // Relaxed: stored before any name is redirected to this library.
    IS_ON.load(Relaxed)
}

/// Speeds up holds by `percent` per cent. Redirects the names of all locks but mutexes and conditions.
pub fn start(percent: u32) {
    saved::start(percent);
    crowd::start();
    ending::start();
    IS_ON.store(true, Relaxed);
    rwlock::replace();
    around::replace();
}
