//! Whether there is a second processor. Without one, no thread can release a lock while another spins for it.

#[cfg(not(locktoll_loom))]
use core::sync::atomic::AtomicU32;

#[cfg(not(locktoll_loom))]
use crate::sync::Ordering;
#[cfg(not(locktoll_loom))]
use crate::system::runs_two;

/// 0: nobody has checked yet. Afterwards 1, or 2 for "two or more".
#[cfg(not(locktoll_loom))]
static USABLE: AtomicU32 = AtomicU32::new(0);

/// Whether threads of this process run at the same time, as found at the first call.
#[cfg(not(locktoll_loom))]
pub(super) fn are_many() -> bool {
    // Relaxed, both: every thread that comes here gets the same result.
    match USABLE.load(Ordering::Relaxed) {
        0 => {
            let many = runs_two();
            USABLE.store(1 + u32::from(many), Ordering::Relaxed);
            many
        }
        usable => usable > 1,
    }
}

/// In the model there are as many processors as threads.
#[cfg(locktoll_loom)]
pub(super) fn are_many() -> bool {
    true
}
