//! The function behind each exported name.
//!
//! # Invariants
//!
//! - **E1** A place holds the address of a function with the signature that the C library gives the name in the same row, or
//!   of the first stop that `exports` has for the name. Assembly there jumps to the address by the row's number.
//! - **E2** All threads that fill the table store the same addresses, so it does not matter which comes first.

use core::ffi::{CStr, c_void};
use core::ptr::{from_ref, null_mut};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

/// Calls a macro with every name and its row. Names that an allocator may use come first (see `real`).
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
            syscall SystemCall,
            prctl ProcessControl,
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
            sem_wait SemaphoreWait,
            sem_timedwait SemaphoreTimedWait,
            sem_clockwait SemaphoreClockWait,
            sem_post SemaphorePost,
            pthread_barrier_wait BarrierWait,
            pthread_join ThreadJoin,
            thrd_join C11ThreadJoin,
            pthread_setschedparam SetThreadPolicy,
            sched_setscheduler SetPolicy,
            pthread_attr_setschedpolicy SetAttributePolicy,
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
                // SAFETY: a name ends with the zero byte that is appended to it, and has no other.
                unsafe { CStr::from_bytes_with_nul_unchecked(concat!(stringify!($name), "\0").as_bytes()) },
            )+
        ];

        pub const COUNT: usize = [$(stringify!($name)),+].len();
    };
}
for_each_entry!(define);

/// The table that `exports` jumps through. The places come first: assembly reads them by row.
#[repr(C)]
pub struct Table {
    /// Where each name leads.
    pub places: [AtomicPtr<c_void>; COUNT],
    /// Where each name leads before anything else has been stored.
    pub first: [unsafe extern "C" fn(); COUNT],
}

/// The table of `exports`, which is above this room. Known since the first call of all.
static TABLE: AtomicPtr<Table> = AtomicPtr::new(null_mut());

/// Sets the table, before anything is stored in it.
pub fn use_table(table: &'static Table) {
    // Relaxed: a static, whose contents the dynamic linker has written.
    TABLE.store(from_ref(table).cast_mut(), Relaxed);
}

fn table() -> &'static Table {
    loop {
        // Relaxed: as above.
        // SAFETY: null or a static.
        if let Some(table) = unsafe { TABLE.load(Relaxed).as_ref() } {
            return table;
        }
        // A thread that comes here was sent by another that stored the table first. Nothing orders the two for this thread,
        // but both become visible to it.
        core::hint::spin_loop();
    }
}

/// Redirects a name to the C library, unless it has already been redirected.
///
/// # Safety
/// E1: the function has the signature of the name in row `index`.
pub unsafe fn send_unless_sent(index: usize, function: *mut c_void) {
    let Table { places, first } = table();
    // Relaxed, both: the functions are code, and E2.
    let first = first[index] as *mut c_void;
    let _ = places[index].compare_exchange(first, function, Relaxed, Relaxed);
}

pub fn place(entry: Entry) -> *mut c_void {
    // Relaxed: the function is code.
    table().places[entry as usize].load(Relaxed)
}

/// Redirects a name to a function of this library.
///
/// # Safety
/// E1: the function has the name's signature.
// Not inlined into its callers: there are a dozen calls for each candidate.
#[inline(never)]
pub unsafe fn send(entry: Entry, function: *mut c_void) {
    // Relaxed: the function is code, and E2.
    table().places[entry as usize].store(function, Relaxed);
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
