//! Semaphores.

use core::ffi::{c_int, c_uint};

use libc::sem_t;

use super::{Function, Opaque};

pub type SemFn = unsafe extern "C" fn(*mut sem_t) -> c_int;
pub type SemInitFn = unsafe extern "C" fn(*mut sem_t, c_int, c_uint) -> c_int;

pub static SEM_WAIT: Function<Opaque> = Function::named(c"sem_wait");
pub static SEM_TIMEDWAIT: Function<Opaque> = Function::named(c"sem_timedwait");
/// In the GNU C library since 2.30.
pub static SEM_CLOCKWAIT: Function<Opaque> = Function::named(c"sem_clockwait");
pub static SEM_TRYWAIT: Function<SemFn> = Function::named(c"sem_trywait");
pub static SEM_POST: Function<SemFn> = Function::named(c"sem_post");
pub static SEM_INIT: Function<SemInitFn> = Function::named(c"sem_init");
/// Called from assembly, to act on the cancellation requests that the waits above check before anything else.
pub static TESTCANCEL: Function<Opaque> = Function::named(c"pthread_testcancel");
