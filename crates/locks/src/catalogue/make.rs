//! Makes a lock from a row of the catalogue.

use super::Lock;
use crate::RawLock;

/// A lock with a row in the catalogue.
///
/// ```
/// use locktoll_locks::catalogue::Catalogued;
/// use locktoll_locks::{Ticket, Ttas};
///
/// // Code that is generic over locks can print the name of the lock.
/// fn name_of<L: Catalogued>() -> &'static str {
///     L::LOCK.name
/// }
/// assert_eq!((name_of::<Ttas>(), name_of::<Ticket>()), ("ttas", "ticket"));
/// ```
pub trait Catalogued: RawLock {
    /// Its row.
    const LOCK: Lock;

    /// Creates a free lock with this number, as after the colon of its name, or with its default. A lock that takes no number
    /// ignores it.
    ///
    /// ```
    /// use locktoll_locks::catalogue::{Catalogued, named};
    /// use locktoll_locks::{Futex3, RawLock};
    ///
    /// let name = named("futex3:100").unwrap();
    /// let lock = Futex3::with_number(name.number);
    /// assert!(lock.try_lock());
    /// ```
    fn with_number(number: Option<u32>) -> Self;

    /// Finds out how locks of this type work best on this system. This costs little if it is called before the process has
    /// threads. If it is not called, the first lock does it.
    ///
    /// ```
    /// use locktoll_locks::catalogue::Catalogued;
    /// use locktoll_locks::{RawLock, Tollgate};
    ///
    /// <Tollgate as Catalogued>::prepare();
    /// // Threads that are created from here on find the lock prepared.
    /// std::thread::spawn(|| assert!(RawLock::try_lock(&<Tollgate as RawLock>::new()))).join().unwrap();
    /// ```
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
