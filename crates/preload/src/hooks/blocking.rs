//! Hooks before functions that may block in the kernel, if the calling thread holds a lock.
//!
//! The call is counted for every lock that the thread holds: threads waiting for one of them also wait for the call.

use core::ffi::{c_int, c_void};
use core::mem::offset_of;

use crate::held;
use crate::hold;
use crate::real;
use crate::real::{Function, Opaque};
use crate::recorder::Recorder;
use crate::tally::add;
use crate::thread::Thread;
use crate::ticks;
use crate::tls;

/// The offset at which a thread stores how many locks it holds. The assembly of the exports reads it.
pub const HELD_DEPTH: usize = offset_of!(Thread, held) + held::DEPTH;

/// What the export does after the note: in two registers.
#[repr(C)]
pub struct Noted {
    /// The real function.
    address: *const c_void,
    /// When the call began, by `ticks`; zero if its end is not to be noted.
    began: u64,
}

/// Notes the call, and returns the address of the real function.
pub extern "C" fn note(real: &Function<Opaque>) -> Noted {
    let address = address(real);
    // SAFETY: null or a pointer set by `attachment`, to memory that stays mapped.
    let began = match unsafe { tls::get().as_ref() } {
        Some(thread) if !thread.is_busy() && thread.held.depth() > 0 => match Recorder::get() {
            Some(recorder) => {
                hold::note_system_call(thread, recorder);
                ticks::now()
            }
            None => 0,
        },
        _ => 0,
    };
    Noted { address, began }
}

/// Does the same as [`note`] for functions with more arguments than registers hold: their end is not noted, because the export jumps
/// to them.
pub extern "C" fn note_beginning(real: &Function<Opaque>) -> Noted {
    Noted {
        began: 0,
        ..note(real)
    }
}

/// Does the same as [`note`] for fcntl(2), most of whose commands return at once.
pub extern "C" fn note_fcntl(real: &Function<Opaque>, command: c_int) -> Noted {
    if matches!(command, libc::F_SETLKW | libc::F_OFD_SETLKW) {
        note(real)
    } else {
        Noted {
            address: address(real),
            began: 0,
        }
    }
}

/// Notes the end of a call of the function with this number. It changes neither `errno` nor the call's result, which the export keeps.
pub extern "C" fn note_end(began: u64, number: u8) {
    // SAFETY: null or a pointer set by `attachment`, to memory that stays mapped.
    let Some(thread) = (unsafe { tls::get().as_ref() }) else {
        return;
    };
    let Some(recorder) = Recorder::get() else {
        return;
    };
    if thread.is_busy() {
        return;
    }
    // SAFETY: the C library gives every thread its own `errno`.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    let took_ns = recorder.ticks.ns_between(began, ticks::now());
    hold::note_call_end(thread, recorder, number, took_ns);
    // SAFETY: as above.
    unsafe { *errno = before };
}

/// Notes the call as [`note`] does, and counts it, because the kernel counts it among involuntary context switches.
pub fn sched_yield() -> c_int {
    count_yield();
    match real::SCHED_YIELD.get() {
        Some(real) => real(),
        None => unavailable() as c_int,
    }
}

/// Does the same for thrd_yield(3).
pub fn thrd_yield() {
    count_yield();
    if let Some(real) = real::THRD_YIELD.get() {
        real();
    }
}

fn count_yield() {
    // SAFETY: null or a pointer set by `attachment`, to memory that stays mapped.
    let Some(thread) = (unsafe { tls::get().as_ref() }) else {
        return;
    };
    if let Some(life) = thread.life() {
        add(&life.yields, 1);
    }
    if thread.held.depth() > 0
        && !thread.is_busy()
        && let Some(recorder) = Recorder::get()
    {
        hold::note_system_call(thread, recorder);
    }
}

fn address(real: &Function<Opaque>) -> *const c_void {
    let found = real.address();
    if found.is_null() {
        unavailable as *const c_void
    } else {
        found
    }
}

/// Replaces a function that this C library does not have.
extern "C" fn unavailable() -> isize {
    // SAFETY: the C library gives every thread its own `errno`.
    unsafe { *libc::__errno_location() = libc::ENOSYS };
    -1
}
