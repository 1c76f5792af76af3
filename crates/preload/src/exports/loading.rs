//! Libraries that are unloaded.

use core::ffi::{c_int, c_void};

use crate::hooks::loading as hooks;

/// dlclose(3).
///
/// (`dlopen` looks at where it is called from, so nobody may stand in front of it; what it adds is found when the first
/// call comes from there.)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlclose(handle: *mut c_void) -> c_int {
    // SAFETY: H1: it is the program's own argument.
    unsafe { hooks::close(handle) }
}
