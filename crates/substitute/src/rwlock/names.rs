//! The names of reader-writer locks, and the functions behind them.

/// Defines `$replace`, which redirects the names of reader-writer locks to the module's functions `init`, `read_lock`, `try_read_lock`,
/// `timed_read_lock`, `clock_read_lock` and their like for writers, `unlock`, and `destroy`. All but the last two have one more argument
/// than the name: the caller's return address.
macro_rules! rwlock_names {
    ($(#[$doc:meta])* $replace:ident) => {
        $(#[$doc])*
        pub fn $replace() {
            use $crate::entries::{Entry, send};
            // SAFETY: E1: each has the signature of its name.
            unsafe {
                send(Entry::RwInit, init_from as *mut _);
                send(Entry::RwReadLock, read_from as *mut _);
                send(Entry::RwTryReadLock, try_read_from as *mut _);
                send(Entry::RwTimedReadLock, timed_read_from as *mut _);
                send(Entry::RwClockReadLock, clock_read_from as *mut _);
                send(Entry::RwWriteLock, write_from as *mut _);
                send(Entry::RwTryWriteLock, try_write_from as *mut _);
                send(Entry::RwTimedWriteLock, timed_write_from as *mut _);
                send(Entry::RwClockWriteLock, clock_write_from as *mut _);
                send(Entry::RwUnlock, unlock as *mut _);
                send(Entry::RwDestroy, destroy as *mut _);
            }
        }

        $crate::only::with_site!(init_from = init, behind 2);
        $crate::only::with_site!(read_from = read_lock, behind 1);
        $crate::only::with_site!(try_read_from = try_read_lock, behind 1);
        $crate::only::with_site!(timed_read_from = timed_read_lock, behind 2);
        $crate::only::with_site!(clock_read_from = clock_read_lock, behind 3);
        $crate::only::with_site!(write_from = write_lock, behind 1);
        $crate::only::with_site!(try_write_from = try_write_lock, behind 1);
        $crate::only::with_site!(timed_write_from = timed_write_lock, behind 2);
        $crate::only::with_site!(clock_write_from = clock_write_lock, behind 3);
    };
}

pub(crate) use rwlock_names;
