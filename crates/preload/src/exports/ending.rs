//! Functions that end the process without its exit handlers.

use core::ffi::c_int;

use crate::hooks::ending as hooks;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn _exit(status: c_int) -> ! {
    hooks::end(status)
}

/// The same function under its C name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _Exit(status: c_int) -> ! {
    hooks::end(status)
}
