//! Makes a lock from a row of the catalogue.

use super::Lock;
use crate::RawLock;

/// A lock with a row in the catalogue.
pub trait Catalogued: RawLock {
    /// Its row.
    const LOCK: Lock;

    /// Creates a free lock with this number, as after the colon of its name, or with its default. A lock that takes no number
    /// ignores it.
    fn with_number(number: Option<u32>) -> Self;

    /// Finds out how locks of this type work best on this system. This costs little if it is called before the process has
    /// threads. If it is not called, the first lock does it.
    fn prepare() {}
}

/// Implements the making of a lock as its row says: by `new`, by `with_spin`, or by `new` after a `prepare`.
macro_rules! catalogued_by {
    (new) => {
        fn with_number(_: Option<u32>) -> Self {
            Self::new()
        }
    };
    (with_spin) => {
        fn with_number(number: Option<u32>) -> Self {
            Self::with_spin(number.unwrap_or(Self::DEFAULT_SPIN))
        }
    };
    (prepared) => {
        fn with_number(_: Option<u32>) -> Self {
            Self::new()
        }

        fn prepare() {
            Self::prepare();
        }
    };
}
pub(super) use catalogued_by;
