//! The clock, read in user space and without the C library.
//!
//! `clock_gettime` is a function that programs and preloaded libraries replace, to fake the time or to log it. A replacement
//! that takes a mutex would call this library again, and would wait forever if the recorder's lock is held. Besides, a wait
//! has to be measured in real time. So this module calls the kernel's own function, in the object that the kernel maps into
//! each process (vdso(7)), or makes the system call if there is no such object.
//!
//! # Invariants
//!
//! - **V1** `READ` is null or the address of a function with the type [`ReadFn`].
//! - **V2** The object is as the kernel built it: its first `PT_LOAD` segment is mapped as a whole, and never unmapped.

use core::ffi::{c_int, c_void};
use core::mem::transmute;
use core::ptr::null_mut;
use core::slice;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use libc::{clockid_t, timespec};

use crate::elf;
use crate::sys;

type ReadFn = unsafe extern "C" fn(clockid_t, *mut timespec) -> c_int;

/// The kernel's name for the function: vdso(7).
#[cfg(target_arch = "x86_64")]
const NAME: &[u8] = b"__vdso_clock_gettime";
/// The kernel's name for the function: vdso(7).
#[cfg(target_arch = "aarch64")]
const NAME: &[u8] = b"__kernel_clock_gettime";

/// Null until the function has been looked up.
static READ: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Reads `CLOCK_MONOTONIC`, in nanoseconds.
pub fn monotonic_ns() -> u64 {
    clock_ns(libc::CLOCK_MONOTONIC)
}

/// Reads `CLOCK_REALTIME`, in nanoseconds since 1970.
pub fn realtime_ns() -> u64 {
    clock_ns(libc::CLOCK_REALTIME)
}

/// Reads `CLOCK_THREAD_CPUTIME_ID`, in nanoseconds. This makes a system call.
pub fn thread_cpu_ns() -> u64 {
    clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

fn clock_ns(clock: clockid_t) -> u64 {
    let mut time = timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // Relaxed: it points to code, which existed before this thread.
    let mut read = READ.load(Relaxed);
    if read.is_null() {
        read = look_up();
        READ.store(read, Relaxed);
    }
    // SAFETY: V1.
    let read = unsafe { transmute::<*mut c_void, ReadFn>(read) };
    // The call cannot fail for the clocks that are asked for here.
    // SAFETY: the pointer is to a live value.
    let _ = unsafe { read(clock, &raw mut time) };
    (time.tv_sec as u64)
        .wrapping_mul(1_000_000_000)
        .wrapping_add(time.tv_nsec as u64)
}

#[cold]
fn look_up() -> *mut c_void {
    in_kernel_object().unwrap_or(sys::clock_gettime as *mut c_void)
}

/// Finds the function in the object that the kernel has mapped, if there is one.
fn in_kernel_object() -> Option<*mut c_void> {
    // SAFETY: getauxval(3) reads what the kernel left on the stack.
    let base = unsafe { libc::getauxval(libc::AT_SYSINFO_EHDR) };
    if base == 0 {
        return None;
    }
    // SAFETY: V2; no segment is shorter than a page, and the ELF header with its table is at the beginning.
    let first_page = unsafe { slice::from_raw_parts(base as *const u8, 4096) };
    let bytes = elf::first_load_bytes(first_page)?;
    // SAFETY: V2.
    let image = unsafe { slice::from_raw_parts(base as *const u8, bytes) };
    let offset = elf::function(image, NAME)?;
    Some((base + offset) as *mut c_void)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_function_is_found_and_agrees_with_the_system_call() {
        assert!(
            in_kernel_object().is_some(),
            "every kernel that tests run on has one"
        );
        let mut time = timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let before = monotonic_ns();
        assert_eq!(sys::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time), 0);
        let between = time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64;
        let after = monotonic_ns();
        assert!(before <= between && between <= after);
        assert!(realtime_ns() > 1_600_000_000_000_000_000);
    }
}
