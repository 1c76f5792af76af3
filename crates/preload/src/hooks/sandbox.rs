//! Hooks around prctl(2): a process that gives up system calls must not be killed for a system call of the recorder.
//! (seccomp(2) has no function in the C library: see `futex`, which examines calls by number.)

use core::ffi::{c_int, c_ulong};

use crate::real::Function;
use crate::recorder::Recorder;

type PrctlFn = unsafe extern "C" fn(c_int, c_ulong, c_ulong, c_ulong, c_ulong) -> c_int;

static PRCTL: Function<PrctlFn> = Function::named(c"prctl");

pub unsafe fn prctl(option: c_int, arguments: [c_ulong; 4]) -> c_int {
    let Some(prctl) = PRCTL.get() else {
        return 0;
    };
    let [second, third, fourth, fifth] = arguments;
    // SAFETY: H1.
    let call = || unsafe { prctl(option, second, third, fourth, fifth) };
    if option == libc::PR_SET_SECCOMP {
        Recorder::giving_up_system_calls(call, |&result| result != 0)
    } else {
        call()
    }
}
