//! How a thread yields its processor, or sleeps for a moment, while another has a few instructions to do.
//!
//! sched_yield(2) and nanosleep(2) do this. But a process may have given up all system calls except those on a list
//! (seccomp(2)), and the list of a program with locks needs only futex(2), since the C library's locks make no other call. The
//! kernel may end a process for any other. So a process that gives up calls announces it here, and from then on these
//! functions make no call except futex(2).
//!
//! # Invariants
//!
//! - **G1** After [`wait_by_futex_alone`] has returned, no lock begins a call except futex(2). A thread that is between its
//!   check and its call at that moment may still make that one call.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rustix::thread::{Timespec, futex, nanosleep, sched_yield};

/// Whether futex(2) is the only call that locks may make.
static BY_FUTEX_ALONE: AtomicBool = AtomicBool::new(false);

/// The shortest sleep. It ends when the kernel's timer fires: after 50 us, unless the thread's timer slack differs (prctl(2)).
const SHORTEST_NS: u64 = 1;

/// From now on, the locks of this process make no system call except futex(2). For a process that is about to give up system
/// calls (seccomp(2)). It cannot be undone, just as a filter cannot.
///
/// Yields become the shortest possible sleeps, about 50 us, and so cost more if no other thread wants the processor.
pub fn wait_by_futex_alone() {
    // SeqCst: before the filter, which the caller installs next, in the order that all threads see.
    BY_FUTEX_ALONE.store(true, Ordering::SeqCst);
}

/// Whether the process has announced that it gives up calls.
#[inline]
pub fn is_by_futex_alone() -> bool {
    // Relaxed: nothing else is read on the strength of it.
    BY_FUTEX_ALONE.load(Ordering::Relaxed)
}

/// Yields the processor to another thread that wants it.
#[inline]
pub fn yield_now() {
    if is_by_futex_alone() {
        sleep_by_futex(SHORTEST_NS);
    } else {
        sched_yield();
    }
}

/// Sleeps for this many nanoseconds, less than a second. A signal ends it early.
pub fn nap(length_ns: u64) {
    if is_by_futex_alone() {
        sleep_by_futex(length_ns);
    } else {
        let _ = nanosleep(&length(length_ns));
    }
}

/// Waits at a word that nobody wakes, until the time is up.
#[cold]
fn sleep_by_futex(length_ns: u64) {
    let nobodys = AtomicU32::new(0);
    // ETIMEDOUT, or EINTR: either way the sleep is over.
    let _ = futex::wait(&nobodys, futex::Flags::PRIVATE, 0, Some(&length(length_ns)));
}

fn length(length_ns: u64) -> Timespec {
    Timespec {
        tv_sec: 0,
        tv_nsec: length_ns.cast_signed(),
    }
}
