//! System calls by number.

use core::ffi::c_long;

use super::Function;

/// `syscall`. It is variadic in C, and takes integers in the same places as a function of seven.
pub type SyscallFn =
    unsafe extern "C" fn(c_long, usize, usize, usize, usize, usize, usize) -> c_long;

pub static SYSCALL: Function<SyscallFn> = Function::named(c"syscall");
