//! The reason why this process records nothing. It is kept until the process ends, and reported then.

use core::sync::atomic::AtomicI32;
use core::sync::atomic::Ordering::Relaxed;

use crate::sys::Errno;

/// The errno(3) value with which the part could not be created, or zero.
static FAILURE: AtomicI32 = AtomicI32::new(0);

/// Remembers why there is no part.
pub fn note(errno: Errno) {
    // Relaxed: the number publishes no other memory.
    FAILURE.store(errno.0, Relaxed);
}

/// Returns why there is no part, if something failed.
pub fn noted() -> Option<Errno> {
    // Relaxed: as above.
    let errno = FAILURE.load(Relaxed);
    (errno != 0).then_some(Errno(errno))
}
