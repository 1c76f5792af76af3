//! Condition variables.

use core::ffi::{CStr, c_int};

use libc::{pthread_cond_t, pthread_condattr_t};

use super::{Function, Opaque};

/// The default version of a symbol is right for all functions except those of condition variables. Their old version, with
/// another layout of `pthread_cond_t`, still exists, and dlsym(3) may find it first.
#[cfg(target_arch = "x86_64")]
const CONDITION_VERSION: &CStr = c"GLIBC_2.3.2";
/// This architecture never had an old version; this is the first version of all its symbols.
#[cfg(target_arch = "aarch64")]
const CONDITION_VERSION: &CStr = c"GLIBC_2.17";

pub type CondInitFn = unsafe extern "C" fn(*mut pthread_cond_t, *const pthread_condattr_t) -> c_int;
pub type CondFn = unsafe extern "C" fn(*mut pthread_cond_t) -> c_int;

pub static COND_INIT: Function<CondInitFn> =
    Function::versioned(c"pthread_cond_init", CONDITION_VERSION);
pub static COND_WAIT: Function<Opaque> =
    Function::versioned(c"pthread_cond_wait", CONDITION_VERSION);
pub static COND_TIMEDWAIT: Function<Opaque> =
    Function::versioned(c"pthread_cond_timedwait", CONDITION_VERSION);
/// In the GNU C library since 2.30.
pub static COND_CLOCKWAIT: Function<Opaque> = Function::named(c"pthread_cond_clockwait");
pub static COND_SIGNAL: Function<CondFn> =
    Function::versioned(c"pthread_cond_signal", CONDITION_VERSION);
pub static COND_BROADCAST: Function<CondFn> =
    Function::versioned(c"pthread_cond_broadcast", CONDITION_VERSION);
