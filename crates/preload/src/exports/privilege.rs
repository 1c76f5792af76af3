//! Functions by which a process gives up the privileges it needs to reach the recording's file.

use core::ffi::{c_char, c_int};

use libc::uid_t;

use crate::hooks::privilege as hooks;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn setuid(user: uid_t) -> c_int {
    hooks::set_user(user)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn seteuid(user: uid_t) -> c_int {
    hooks::set_effective_user(user)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn setreuid(real: uid_t, effective: uid_t) -> c_int {
    hooks::set_users(real, effective)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn setresuid(real: uid_t, effective: uid_t, saved: uid_t) -> c_int {
    hooks::set_all_users(real, effective, saved)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn chroot(path: *const c_char) -> c_int {
    // SAFETY: H1: it is the program's own argument.
    unsafe { hooks::change_root(path) }
}
