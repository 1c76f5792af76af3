//! Functions that only C11's threads.h has. The others are functions of pthread.h under another name.

use core::ffi::c_int;

use libc::pthread_mutex_t;

use super::Function;

pub type MtxInitFn = unsafe extern "C" fn(*mut pthread_mutex_t, c_int) -> c_int;

/// In the GNU C library since 2.28.
pub static MTX_INIT: Function<MtxInitFn> = Function::named(c"mtx_init");
