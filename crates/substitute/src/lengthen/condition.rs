//! The C library's own conditions: a wait interrupts the hold of its mutex.
//!
//! If a thread is cancelled in the wait, its clean-up handlers hold the mutex in a hold that is not lengthened.

use core::ffi::{c_int, c_void};

use libc::pthread_mutex_t;

use super::mutex;
use crate::entries::{self, Entry};
use crate::real::{self, wrapped};

/// Redirects the names of waits.
pub fn replace() {
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::ConditionWait, wait as *mut _);
        entries::send(Entry::ConditionTimedWait, timed_wait as *mut _);
        entries::send(Entry::ConditionClockWait, clock_wait as *mut _);
        entries::send(Entry::CndWait, c11_wait as *mut _);
        entries::send(Entry::CndTimedWait, c11_timed_wait as *mut _);
    }
}

/// Defines a wait, whose second argument is the mutex: ends the hold, calls the C library's function, begins another hold.
macro_rules! wait {
    ($name:ident = $before:ident, $entry:ident) => {
        unsafe extern "C" fn $before(_: *mut c_void, mutex: *mut pthread_mutex_t) -> *mut c_void {
            // SAFETY: the program's own mutex.
            unsafe { mutex::releasing(mutex) };
            // Not null: the library has been started by the call that came here.
            real::address(Entry::$entry as usize)
        }

        wrapped!($name = $before, after);
    };
}

wait!(wait = before_wait, ConditionWait);
wait!(timed_wait = before_timed_wait, ConditionTimedWait);
wait!(clock_wait = before_clock_wait, ConditionClockWait);
wait!(c11_wait = before_c11_wait, CndWait);
wait!(c11_timed_wait = before_c11_timed_wait, CndTimedWait);

unsafe extern "C" fn after(_: c_int, _: *mut c_void, mutex: *mut pthread_mutex_t) {
    // SAFETY: the program's own mutex. It is held again, except after an error of use, and then the hold is never ended.
    unsafe { mutex::acquired_again(mutex) };
}
