//! Functions of the C library in which a thread waits for another one, and may be cancelled (pthreads(7)).

use core::ffi::{c_int, c_void};

use super::account::{pay, resume, suspend, woken, woken_now};
use super::signalled::{note, noted};
use crate::entries::{self, Entry};
use crate::real::{self, real_function, wrapped};

real_function! {
    real_post = SemaphorePost(semaphore: *mut libc::sem_t)
}

/// Redirects the names.
pub fn replace() {
    let send = |entry: Entry, function: *mut c_void| {
        // Null: another thread is looking it up, and will come here too.
        if !real::address(entry as usize).is_null() {
            // SAFETY: E1: each has the signature of its name.
            unsafe { entries::send(entry, function) };
        }
    };
    send(Entry::SemaphoreWait, semaphore_wait as *mut _);
    send(Entry::SemaphoreTimedWait, semaphore_timed_wait as *mut _);
    send(Entry::SemaphoreClockWait, semaphore_clock_wait as *mut _);
    send(Entry::SemaphorePost, semaphore_post as *mut _);
    send(Entry::BarrierWait, barrier_wait as *mut _);
    send(Entry::ThreadJoin, thread_join as *mut _);
    send(Entry::C11ThreadJoin, c11_thread_join as *mut _);
}

/// Defines a function that suspends the calling thread's holds while it is in the C library's function, and calls `after` with the
/// answer and the first argument.
macro_rules! around {
    ($name:ident = $before:ident, $after:ident, $entry:ident) => {
        unsafe extern "C" fn $before() -> *mut c_void {
            pay();
            suspend();
            real::address(Entry::$entry as usize)
        }

        wrapped!($name = $before, $after);
    };
}

around!(semaphore_wait = before_wait, after_semaphore, SemaphoreWait);
around!(
    semaphore_timed_wait = before_timed_wait,
    after_semaphore,
    SemaphoreTimedWait
);
around!(
    semaphore_clock_wait = before_clock_wait,
    after_semaphore,
    SemaphoreClockWait
);
around!(barrier_wait = before_barrier, after_barrier, BarrierWait);
around!(thread_join = before_join, after_join, ThreadJoin);
around!(c11_thread_join = before_c11_join, after_join, C11ThreadJoin);

/// The thread that posted has paid. If the semaphore was free, its note is older than this thread's last payment.
unsafe extern "C" fn after_semaphore(answer: c_int, semaphore: usize) {
    match answer {
        0 => woken(noted(semaphore)),
        _ => resume(),
    }
}

/// The thread that came last has paid, or is this one.
unsafe extern "C" fn after_barrier(_: c_int, _: usize) {
    woken_now();
}

/// The thread that has ended paid at its end.
unsafe extern "C" fn after_join(answer: c_int, _: usize) {
    match answer {
        0 => woken_now(),
        _ => resume(),
    }
}

unsafe extern "C" fn semaphore_post(semaphore: *mut libc::sem_t) -> c_int {
    note(semaphore.addr());
    // SAFETY: the program's own semaphore.
    unsafe { real_post(semaphore) }
}
