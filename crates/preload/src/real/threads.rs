//! Threads.

use core::ffi::{c_int, c_void};

use libc::{pthread_attr_t, pthread_t};

use super::{Function, Opaque};

/// `pthread_create`. The new thread's first function is only jumped to.
pub type CreateFn = unsafe extern "C" fn(
    *mut pthread_t,
    *const pthread_attr_t,
    Option<Opaque>,
    *mut c_void,
) -> c_int;
/// `thrd_create`. As above.
pub type C11CreateFn = unsafe extern "C" fn(*mut pthread_t, Option<Opaque>, *mut c_void) -> c_int;

pub static CREATE: Function<CreateFn> = Function::named(c"pthread_create");
/// In the GNU C library since 2.28.
pub static C11_CREATE: Function<C11CreateFn> = Function::named(c"thrd_create");
