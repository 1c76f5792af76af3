//! The functions behind the exported names of conditions, if they are replaced.

use super::{cancellation, lifecycle, signal, trampoline};
use crate::entries::{self, Entry};

/// Prepares what a forked child must not inherit. Returns `false` if the kernel cannot wipe it there; then conditions cannot
/// be replaced.
pub fn start() -> bool {
    cancellation::start()
}

/// Redirects the names of conditions to this library's functions. `pthread_cancel` is one of them, since it must wake waiting
/// threads.
pub fn replace() {
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::ConditionWait, trampoline::cond_wait as *mut _);
        entries::send(
            Entry::ConditionTimedWait,
            trampoline::cond_timed_wait as *mut _,
        );
        entries::send(
            Entry::ConditionClockWait,
            trampoline::cond_clock_wait as *mut _,
        );
        entries::send(Entry::ConditionSignal, signal::signal as *mut _);
        entries::send(Entry::ConditionBroadcast, signal::broadcast as *mut _);
        entries::send(Entry::ConditionInit, lifecycle::init as *mut _);
        entries::send(Entry::ConditionDestroy, lifecycle::destroy as *mut _);
        entries::send(Entry::CndWait, trampoline::c11_wait as *mut _);
        entries::send(Entry::CndTimedWait, trampoline::c11_timed_wait as *mut _);
        entries::send(Entry::CndSignal, signal::signal as *mut _);
        entries::send(Entry::CndBroadcast, signal::broadcast as *mut _);
        entries::send(Entry::CndInit, lifecycle::init_c11 as *mut _);
        entries::send(Entry::CndDestroy, lifecycle::destroy_c11 as *mut _);
        entries::send(Entry::Cancel, trampoline::cancel as *mut _);
    }
}
