//! Functions that unload libraries.

use core::ffi::{c_int, c_void};

use crate::hooks::loading as hooks;

/// dlclose(3).
///
/// (`dlopen` depends on the address it is called from, so it must not be interposed. The libraries that it adds are found when
/// the first call comes from them.)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlclose(handle: *mut c_void) -> c_int {
    // SAFETY: H1: it is the program's own argument.
    unsafe { hooks::close(handle) }
}
