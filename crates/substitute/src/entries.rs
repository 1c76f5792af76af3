//! Where each exported name goes.
//!
//! # Invariants
//!
//! - **E1** A place holds the address of a function with the signature that the C library gives the name in the same row, or
//!   of `start`'s first stop for it. Assembly in `exports` jumps to it by its number.
//! - **E2** All threads that fill the table store the same addresses, so it does not matter who comes first.

use core::ffi::{CStr, c_void};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

/// Calls a macro with every name and its row: those that an allocator may use first (see `real`).
macro_rules! for_each_entry {
    ($callback:ident) => {
        $callback! {
            pthread_mutex_lock MutexLock,
            pthread_mutex_trylock MutexTryLock,
            pthread_mutex_unlock MutexUnlock,
            pthread_mutex_init MutexInit,
            pthread_mutex_destroy MutexDestroy,
            pthread_cond_wait ConditionWait,
            pthread_cond_signal ConditionSignal,
            pthread_cond_broadcast ConditionBroadcast,
            pthread_cond_init ConditionInit,
            pthread_cond_destroy ConditionDestroy,
            pthread_cond_timedwait ConditionTimedWait,
            pthread_rwlock_rdlock RwReadLock,
            pthread_rwlock_tryrdlock RwTryReadLock,
            pthread_rwlock_timedrdlock RwTimedReadLock,
            pthread_rwlock_wrlock RwWriteLock,
            pthread_rwlock_trywrlock RwTryWriteLock,
            pthread_rwlock_timedwrlock RwTimedWriteLock,
            pthread_rwlock_unlock RwUnlock,
            pthread_rwlock_init RwInit,
            pthread_rwlock_destroy RwDestroy,
            pthread_spin_lock SpinLock,
            pthread_spin_trylock SpinTryLock,
            pthread_spin_unlock SpinUnlock,
            pthread_spin_init SpinInit,
            pthread_spin_destroy SpinDestroy,
            pthread_mutex_timedlock MutexTimedLock,
            pthread_mutex_clocklock MutexClockLock,
            pthread_cond_clockwait ConditionClockWait,
            pthread_rwlock_clockrdlock RwClockReadLock,
            pthread_rwlock_clockwrlock RwClockWriteLock,
            mtx_init MtxInit,
            mtx_lock MtxLock,
            mtx_trylock MtxTryLock,
            mtx_timedlock MtxTimedLock,
            mtx_unlock MtxUnlock,
            mtx_destroy MtxDestroy,
            cnd_init CndInit,
            cnd_wait CndWait,
            cnd_timedwait CndTimedWait,
            cnd_signal CndSignal,
            cnd_broadcast CndBroadcast,
            cnd_destroy CndDestroy,
            pthread_cancel Cancel,
        }
    };
}
#[cfg(all(feature = "interpose", not(test)))]
pub(crate) use for_each_entry;

macro_rules! define {
    ($($name:ident $entry:ident,)+) => {
        /// The row of a name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Entry {
            $(
                #[doc = concat!("`", stringify!($name), "`")]
                $entry,
            )+
        }

        /// The names, in the order of the rows.
        pub static NAMES: &[&CStr] = &[
            $(
                // SAFETY: a name ends with the zero byte that is put behind it, and has no other.
                unsafe { CStr::from_bytes_with_nul_unchecked(concat!(stringify!($name), "\0").as_bytes()) },
            )+
        ];

        /// How many rows there are.
        pub const COUNT: usize = [$(stringify!($name)),+].len();
    };
}
for_each_entry!(define);

macro_rules! first_stops {
    ($($name:ident $entry:ident,)+) => {
        [$(AtomicPtr::new(stop_of!($name))),+]
    };
}

#[cfg(all(feature = "interpose", not(test)))]
macro_rules! stop_of {
    ($name:ident) => {
        crate::exports::first::$name as *mut c_void
    };
}

#[cfg(not(all(feature = "interpose", not(test))))]
macro_rules! stop_of {
    ($name:ident) => {
        core::ptr::null_mut()
    };
}

/// The table that `exports` jumps through.
pub static ENTRIES: [AtomicPtr<c_void>; COUNT] = for_each_entry!(first_stops);

/// Where each name goes before anything else has been stored.
static FIRST: [AtomicPtr<c_void>; COUNT] = for_each_entry!(first_stops);

/// Sends a name to the C library, unless it has been sent somewhere already.
///
/// # Safety
/// E1: the function has the signature of the name in row `index`.
pub unsafe fn send_unless_sent(index: usize, function: *mut c_void) {
    // Relaxed, all: the functions are code, and E2.
    let first = FIRST[index].load(Relaxed);
    let _ = ENTRIES[index].compare_exchange(first, function, Relaxed, Relaxed);
}

/// Where a name goes.
pub fn place(entry: Entry) -> *mut c_void {
    // Relaxed: the function is code.
    ENTRIES[entry as usize].load(Relaxed)
}

/// Sends a name to a function of ours.
///
/// # Safety
/// E1: the function has the name's signature.
pub unsafe fn send(entry: Entry, function: *mut c_void) {
    // Relaxed: the function is code, and E2.
    ENTRIES[entry as usize].store(function, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_numbered_as_its_name() {
        macro_rules! rows {
            ($($name:ident $entry:ident,)+) => {
                [$((stringify!($name), Entry::$entry)),+]
            };
        }
        for (number, (name, entry)) in for_each_entry!(rows).into_iter().enumerate() {
            assert_eq!(entry as usize, number);
            assert_eq!(NAMES[number].to_str(), Ok(name));
        }
    }
}
