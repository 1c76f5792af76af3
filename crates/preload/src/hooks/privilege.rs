//! Hooks around the functions by which a server becomes another user or leaves its part of the file system. Afterwards the
//! process usually cannot reopen the recording's file to extend it, or create a new one.
//!
//! So the work is done before: recording starts, if it has not (in a worker process that was just forked), and the file is
//! made long enough for the likely needs of such a process.

use core::ffi::{c_char, c_int};

use libc::uid_t;

use crate::real::Function;
use crate::recorder::Recorder;
use crate::sys;

type UserFn = unsafe extern "C" fn(uid_t) -> c_int;
type UsersFn = unsafe extern "C" fn(uid_t, uid_t) -> c_int;
type AllUsersFn = unsafe extern "C" fn(uid_t, uid_t, uid_t) -> c_int;
type RootFn = unsafe extern "C" fn(*const c_char) -> c_int;

static SETUID: Function<UserFn> = Function::named(c"setuid");
static SETEUID: Function<UserFn> = Function::named(c"seteuid");
static SETREUID: Function<UsersFn> = Function::named(c"setreuid");
static SETRESUID: Function<AllUsersFn> = Function::named(c"setresuid");
static CHROOT: Function<RootFn> = Function::named(c"chroot");

/// Only the superuser can give up its user: any other process keeps the user that owns the recording's file.
fn before_giving_up_user() {
    if sys::effective_user() == 0 {
        reserve();
    }
}

fn reserve() {
    if let Some(recorder) = Recorder::running() {
        recorder.lock().reserve();
    }
}

/// `setuid`.
pub fn set_user(user: uid_t) -> c_int {
    before_giving_up_user();
    // SAFETY: H1.
    SETUID.get().map_or(-1, |real| unsafe { real(user) })
}

/// `seteuid`.
pub fn set_effective_user(user: uid_t) -> c_int {
    before_giving_up_user();
    // SAFETY: H1.
    SETEUID.get().map_or(-1, |real| unsafe { real(user) })
}

/// `setreuid`.
pub fn set_users(real_user: uid_t, effective: uid_t) -> c_int {
    before_giving_up_user();
    // SAFETY: H1.
    SETREUID
        .get()
        .map_or(-1, |real| unsafe { real(real_user, effective) })
}

/// `setresuid`.
pub fn set_all_users(real_user: uid_t, effective: uid_t, saved: uid_t) -> c_int {
    before_giving_up_user();
    // SAFETY: H1.
    SETRESUID
        .get()
        .map_or(-1, |real| unsafe { real(real_user, effective, saved) })
}

/// `chroot`.
///
/// # Safety
/// H1.
pub unsafe fn change_root(path: *const c_char) -> c_int {
    reserve();
    // SAFETY: H1.
    CHROOT.get().map_or(-1, |real| unsafe { real(path) })
}
