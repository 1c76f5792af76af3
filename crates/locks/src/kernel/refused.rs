//! The kernel's refusal to make an object.

use core::error::Error;
use core::fmt;

use rustix::io::Errno;

/// The kernel has refused to make a lock's object, for the reason that this number of errno(3) names.
///
/// ```
/// use locktoll_locks::Eventfd;
///
/// match Eventfd::create() {
///     Ok(_lock) => {}
///     Err(refused) => eprintln!("no lock: {refused} (error {})", refused.raw_os_error()),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    raw_os_error: i32,
}

impl Refused {
    pub(super) fn by(errno: Errno) -> Self {
        Self {
            raw_os_error: errno.raw_os_error(),
        }
    }

    /// Returns the number, as `std::io::Error::from_raw_os_error` takes it.
    ///
    /// ```
    /// # fn explain(refused: locktoll_locks::Refused) -> std::io::Error {
    /// std::io::Error::from_raw_os_error(refused.raw_os_error())
    /// # }
    /// ```
    pub const fn raw_os_error(self) -> i32 {
        self.raw_os_error
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Errno::from_raw_os_error(self.raw_os_error).fmt(f)
    }
}

impl Error for Refused {}
