//! From a row of the catalogue to a lock.

use super::Lock;
use crate::RawLock;

/// A lock that the catalogue has a row of.
pub trait Catalogued: RawLock {
    /// Its row.
    const LOCK: Lock;

    /// A free lock with this number behind the colon of its name, or with its default. A lock that takes none ignores it.
    fn with_number(number: Option<u32>) -> Self;

    /// Finds out how locks of this type work best here. Called before a process has threads, it costs little; left out, the
    /// first lock does it.
    fn prepare() {}
}

/// Makes a lock as its row says: by `new`, by `with_spin`, or by `new` after a `prepare`.
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
