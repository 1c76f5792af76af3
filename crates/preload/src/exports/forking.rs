//! fork(2).

use libc::pid_t;

use super::trampoline::with_return_address;
use crate::hooks::forking as hooks;

#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn fork() -> pid_t {
    with_return_address!(hooks::fork, first)
}
