//! Functions by which a process gives up system calls.

use core::ffi::{c_int, c_ulong};

use crate::hooks::sandbox as hooks;

/// prctl(2). In C its arguments are variadic, and the call takes five words at most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prctl(
    option: c_int,
    second: c_ulong,
    third: c_ulong,
    fourth: c_ulong,
    fifth: c_ulong,
) -> c_int {
    // SAFETY: H1: they are the program's own arguments.
    unsafe { hooks::prctl(option, [second, third, fourth, fifth]) }
}
