//! The locks of `locktoll-locks`, each fitted into the room that an object of the C library has.

use locktoll_locks::RawLock;

pub use locktoll_locks::TtasBackoff;

/// A lock that fits into an object.
///
/// # Safety
/// Its size is at most 16 bytes and its alignment at most 8, and it needs no destructor.
pub unsafe trait InPlace: RawLock + 'static {
    /// A free lock with the candidate's parameter.
    fn with_parameter(parameter: u32) -> Self;
}

// SAFETY: two words.
unsafe impl InPlace for TtasBackoff {
    fn with_parameter(_: u32) -> Self {
        Self::new()
    }
}
