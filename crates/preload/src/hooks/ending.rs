//! Hooks around the functions that end the process without its exit handlers, as shells and forked children do.
//!
//! They may be called by a signal handler, or by a child that shares its parent's memory until it executes another program
//! (vfork(2)): then the parent continues.

use core::ffi::c_int;
use core::sync::atomic::Ordering::Relaxed;

use crate::real::Function;
use crate::{start, sys};

type EndFn = unsafe extern "C" fn(c_int) -> !;

/// Both names mean the same function.
static END: Function<EndFn> = Function::named(c"_exit");

/// `_exit`.
pub fn end(status: c_int) -> ! {
    if let Some(header) = start::header()
        && header.pid.load(Relaxed) == sys::pid()
    {
        start::note_end();
    }
    match END.get() {
        // SAFETY: H1.
        Some(real) => unsafe { real(status) },
        None => sys::exit(status),
    }
}
