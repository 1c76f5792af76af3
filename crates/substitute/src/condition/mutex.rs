//! Further facts about the program's mutex that conditions need.

use libc::pthread_mutex_t;

/// Whether other processes may use the mutex. If so, it is the C library's, and its condition must be too.
///
/// # Safety
/// The program's own mutex.
pub unsafe fn is_between_processes(mutex: *mut pthread_mutex_t) -> bool {
    /// The offset of the kind, which has this bit.
    const KIND_AT: usize = 16;
    const BETWEEN_PROCESSES: u32 = 128;
    // SAFETY: the caller's promise: within the object, and aligned; only its initialisation writes it.
    let kind = unsafe { mutex.byte_add(KIND_AT).cast::<u32>().read() };
    kind & BETWEEN_PROCESSES != 0
}
