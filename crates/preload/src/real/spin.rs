//! Spin locks and barriers.

use core::ffi::{c_int, c_uint};

use libc::{pthread_barrier_t, pthread_barrierattr_t, pthread_spinlock_t};

use super::Function;

pub type SpinFn = unsafe extern "C" fn(*mut pthread_spinlock_t) -> c_int;
pub type SpinInitFn = unsafe extern "C" fn(*mut pthread_spinlock_t, c_int) -> c_int;
pub type BarrierFn = unsafe extern "C" fn(*mut pthread_barrier_t) -> c_int;
pub type BarrierInitFn =
    unsafe extern "C" fn(*mut pthread_barrier_t, *const pthread_barrierattr_t, c_uint) -> c_int;

pub static SPIN_LOCK: Function<SpinFn> = Function::named(c"pthread_spin_lock");
pub static SPIN_TRYLOCK: Function<SpinFn> = Function::named(c"pthread_spin_trylock");
pub static SPIN_UNLOCK: Function<SpinFn> = Function::named(c"pthread_spin_unlock");
pub static SPIN_INIT: Function<SpinInitFn> = Function::named(c"pthread_spin_init");
pub static BARRIER_WAIT: Function<BarrierFn> = Function::named(c"pthread_barrier_wait");
pub static BARRIER_INIT: Function<BarrierInitFn> = Function::named(c"pthread_barrier_init");
