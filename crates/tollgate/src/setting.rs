//! What a process chooses once, for all its mutexes.

/// Finds out, once for all mutexes of the process, how they are released, and whether there are enough processors for
/// spinning.
///
/// If it is not called, the first release registers the process for membarrier(2), and the first wait reads files below `/proc`
/// and `/sys`. In a process with many threads, the registration may take 10 to 20 ms. A program that knows a better moment, or
/// is about to give up the right to do either, calls this first. It allocates nothing, leaves `errno` unchanged, and may be
/// called again, by any thread.
///
/// ```
/// tollgate::prepare();
/// // Start threads from here on.
/// ```
#[cfg(target_has_atomic = "64")]
pub fn prepare() {
    crate::RawMutex::prepare();
}

/// From now on, mutexes and condition variables make no system call except futex(2).
///
/// A program calls this before it installs a filter of system calls (seccomp(2)) that kills for those it does not list.
/// Otherwise they also make membarrier(2), sched_yield(2) and nanosleep(2). A mutex then costs more under contention: a waiter
/// sleeps for at most a millisecond at a time.
///
/// ```
/// tollgate::wait_by_futex_alone();
/// // Install the filter from here on.
/// ```
#[cfg(target_os = "linux")]
pub fn wait_by_futex_alone() {
    crate::system::wait_by_futex_alone();
}
