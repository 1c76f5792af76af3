//! The process and its threads: their ids, their signals, sleep and time.

use core::ffi::c_int;
use core::sync::atomic::AtomicU32;

use super::call::{Errno, call, checked};

/// Blocks every signal for this thread, and returns the set that was blocked before.
pub fn block_signals() -> u64 {
    let all = u64::MAX;
    let mut before = 0_u64;
    let arguments = [
        libc::SIG_SETMASK as usize,
        (&raw const all) as usize,
        (&raw mut before) as usize,
        size_of::<u64>(),
    ];
    // SAFETY: S2; the kernel's signal set is 8 bytes long on 64-bit machines.
    let _ = unsafe { call(libc::SYS_rt_sigprocmask, arguments) };
    before
}

/// Blocks exactly the signals in `mask`, as returned by [`block_signals`].
pub fn restore_signals(mask: u64) {
    let arguments = [
        libc::SIG_SETMASK as usize,
        (&raw const mask) as usize,
        0,
        size_of::<u64>(),
    ];
    // SAFETY: S2.
    let _ = unsafe { call(libc::SYS_rt_sigprocmask, arguments) };
}

/// Sleeps while `word` is `value`, until woken: futex(2), `FUTEX_WAIT_PRIVATE`.
pub fn futex_wait(word: &AtomicU32, value: u32) {
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    let arguments = [word.as_ptr() as usize, operation as usize, value as usize];
    // SAFETY: S2. Spurious wake-ups and EAGAIN are the reason for the caller's loop.
    let _ = unsafe { call(libc::SYS_futex, arguments) };
}

pub fn futex_wake_one(word: &AtomicU32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    let arguments = [word.as_ptr() as usize, operation as usize, 1];
    // SAFETY: S2.
    let _ = unsafe { call(libc::SYS_futex, arguments) };
}

/// Ends the process: exit_group(2).
pub fn exit(status: c_int) -> ! {
    loop {
        // SAFETY: S1; nothing of the process is left afterwards.
        unsafe { call(libc::SYS_exit_group, [status as usize]) };
    }
}

pub fn pid() -> u32 {
    // SAFETY: S1.
    unsafe { call(libc::SYS_getpid, []) as u32 }
}

pub fn parent_pid() -> u32 {
    // SAFETY: S1.
    unsafe { call(libc::SYS_getppid, []) as u32 }
}

/// Returns the effective user: geteuid(2).
pub fn effective_user() -> u32 {
    // SAFETY: S1.
    unsafe { call(libc::SYS_geteuid, []) as u32 }
}

pub fn tid() -> u32 {
    // SAFETY: S1.
    unsafe { call(libc::SYS_gettid, []) as u32 }
}

/// getrusage(2).
pub fn resource_usage(whom: c_int, usage: &mut libc::rusage) -> Result<(), Errno> {
    let usage: *mut libc::rusage = usage;
    let arguments = [whom as usize, usage as usize];
    // SAFETY: S2: the kernel writes a `rusage` or nothing.
    unsafe { checked(libc::SYS_getrusage, arguments) }.map(drop)
}

/// Returns this thread's name, prctl(2) `PR_GET_NAME`, with a terminating zero byte.
pub fn thread_name() -> [u8; 16] {
    let mut name = [0; 16];
    let arguments = [libc::PR_GET_NAME as usize, name.as_mut_ptr() as usize];
    // SAFETY: S2; the kernel writes at most 16 bytes.
    let _ = unsafe { call(libc::SYS_prctl, arguments) };
    name
}

/// Ends the process with `SIGABRT`.
#[cfg(all(panic = "abort", not(test)))]
pub fn abort() -> ! {
    loop {
        let arguments = [pid() as usize, tid() as usize, libc::SIGABRT as usize];
        // SAFETY: S1.
        let _ = unsafe { call(libc::SYS_tgkill, arguments) };
    }
}

/// Reads the time of `clock` with clock_gettime(2), directly from the kernel.
pub extern "C" fn clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> c_int {
    let arguments = [clock as usize, time as usize];
    // SAFETY: the kernel checks the pointer and writes a `timespec` or nothing.
    unsafe { call(libc::SYS_clock_gettime, arguments) as c_int }
}
