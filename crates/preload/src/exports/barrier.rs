//! Barriers.

use core::ffi::{c_int, c_uint};

use libc::{pthread_barrier_t, pthread_barrierattr_t};

use super::trampoline::with_return_address;
use crate::hooks::barrier as hooks;

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_barrier_wait(barrier: *mut pthread_barrier_t) -> c_int {
    with_return_address!(hooks::wait, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_barrier_init(
    barrier: *mut pthread_barrier_t,
    attributes: *const pthread_barrierattr_t,
    count: c_uint,
) -> c_int {
    with_return_address!(hooks::init, fourth)
}
