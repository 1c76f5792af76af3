//! The reason why this process records nothing, kept until its end, when it is reported.

use core::sync::atomic::AtomicI32;
use core::sync::atomic::Ordering::Relaxed;

use crate::sys::Errno;

/// The errno(3) value with which the part could not be created, or zero.
static FAILURE: AtomicI32 = AtomicI32::new(0);

/// Remembers that there is no part, and why.
pub fn note(errno: Errno) {
    // Relaxed: a number that says nothing about other memory.
    FAILURE.store(errno.0, Relaxed);
}

/// Why there is none, if something failed.
pub fn noted() -> Option<Errno> {
    // Relaxed: as above.
    let errno = FAILURE.load(Relaxed);
    (errno != 0).then_some(Errno(errno))
}
