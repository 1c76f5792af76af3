//! The use of a futex word, as far as names show it.

use super::uses::{Named, by_names};
use locktoll_results::profile::{Frame, Use};

/// Returns the use of a futex word as the functions at the inner end of a stack show it; `None` if they do not show it, or if it
/// is a semaphore, whose use depends on the threads that wake.
pub fn named_use(frames: &[Frame]) -> Option<Use> {
    match by_names(frames)? {
        Named::Lock => Some(Use::Lock),
        Named::Signal => Some(Use::Signal),
        Named::Semaphore => None,
    }
}
