//! The list of all mutual-exclusion locks, for tests and harnesses.

/// Calls a macro once with all locks that stand behind [`RawLock`](crate::RawLock) by themselves,
/// as `$callback! { Type "name", ... }`; those that are kernel objects on Linux alone. The names are those of the `locktoll` program. Needs the
/// feature `std`.
///
/// ```
/// use locktoll_locks::{RawLock, for_each_lock};
///
/// macro_rules! names {
///     ($($lock:ident $name:literal,)+) => { [$($name),+] };
/// }
/// assert!(for_each_lock!(names).contains(&"ticket"));
/// ```
#[macro_export]
macro_rules! for_each_lock {
    ($callback:ident) => {
        $crate::__and_kernel_objects! { $callback
            Tas "tas",
            Cas "cas",
            Ttas "ttas",
            TtasCapped "ttas-capped",
            TtasBackoff "ttas-backoff",
            TtasBackoffYield "ttas-backoff-yield",
            Ticket "ticket",
            TicketBackoff "ticket-backoff",
            TicketYield "ticket-yield",
            Twa "twa",
            Clh "clh",
            Mcs "mcs",
            McsPark "mcs-park",
            Futex2 "futex2",
            Futex3 "futex3",
            Adaptive "adaptive",
            DesignatedWaker "designated-waker",
            OneSpinner "one-spinner",
            Tollgate "tollgate",
        }
    };
}

/// The end of the list: the locks that are the system's objects.
#[cfg(target_os = "linux")]
#[doc(hidden)]
#[macro_export]
macro_rules! __and_kernel_objects {
    ($callback:ident $($locks:tt)+) => {
        $callback! {
            $($locks)+
            SysvSemaphore "sysv-semaphore",
            Eventfd "eventfd",
            PipeToken "pipe-token",
        }
    };
}

/// The end of the list: there are none here.
#[cfg(not(target_os = "linux"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __and_kernel_objects {
    ($callback:ident $($locks:tt)+) => {
        $callback! { $($locks)+ }
    };
}
