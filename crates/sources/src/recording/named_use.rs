//! The use of a futex word, as far as names show it.

use super::uses::{Named, by_names};
use locktoll_results::profile::{Frame, Use};

/// What the functions at the inner end of a stack say that a futex word is used for; `None` if they say nothing, or that it is a
/// semaphore, which those who wake make it.
pub fn named_use(frames: &[Frame]) -> Option<Use> {
    match by_names(frames)? {
        Named::Lock => Some(Use::Lock),
        Named::Signal => Some(Use::Signal),
        Named::Semaphore => None,
    }
}
