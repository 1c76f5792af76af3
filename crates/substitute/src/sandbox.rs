//! A program that gives up system calls (seccomp(2), prctl(2)) lists those that it makes itself. Of the system calls made by
//! locks, it lists futex(2). The kernel may end the program for any other, so this library's locks stop making others before the
//! list takes effect.
//!
//! Both functions are interposed for this reason, and syscall(2) for `real_time` too. Every other call is passed to the C library unchanged, with nothing of
//! this library on the stack: some calls return twice, or on another stack.

use core::ffi::{c_int, c_long, c_void};
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_locks::wait_by_futex_alone;

use crate::entries::{self, Entry};
use crate::{real, real_time};

/// Whether the program has given up system calls.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

/// Whether the program has given up system calls, or is about to.
pub fn is_entered() -> bool {
    // Relaxed: the thread that gives them up has stored it before; another one may be ended for a system call that it makes at
    // the same time, whether this library is there or not.
    IS_ENTERED.load(Relaxed)
}

/// Makes this library's locks and its own work do without them.
fn enter() {
    // Relaxed: see `is_entered`.
    IS_ENTERED.store(true, Relaxed);
    wait_by_futex_alone();
}

/// Redirects the two names that give up system calls to the functions here, once the real functions are known.
pub fn watch() {
    for (entry, function) in [
        (Entry::SystemCall, system_call as *mut c_void),
        (Entry::ProcessControl, process_control as *mut c_void),
    ] {
        // Null: another thread is looking it up, and will come here too.
        if !real::address(entry as usize).is_null() {
            // SAFETY: E1: each has the signature of its name.
            unsafe { entries::send(entry, function) };
        }
    }
}

/// syscall(2).
#[unsafe(naked)]
unsafe extern "C" fn system_call() {
    #[cfg(target_arch = "x86_64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "push rdi",
        "push rsi",
        "push rdx",
        "push rcx",
        "push r8",
        "push r9",
        "sub rsp, 8",
        ".cfi_def_cfa_offset 64",
        "call {look}",
        "add rsp, 8",
        "pop r9",
        "pop r8",
        "pop rcx",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        ".cfi_def_cfa_offset 8",
        "jmp rax",
        ".cfi_endproc",
        look = sym look_at_system_call,
    );
    #[cfg(target_arch = "aarch64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-80]!",
        ".cfi_def_cfa_offset 80",
        ".cfi_offset w29, -80",
        ".cfi_offset w30, -72",
        "stp x0, x1, [sp, #16]",
        "stp x2, x3, [sp, #32]",
        "stp x4, x5, [sp, #48]",
        "str x6, [sp, #64]",
        "bl {look}",
        "mov x16, x0",
        "ldp x0, x1, [sp, #16]",
        "ldp x2, x3, [sp, #32]",
        "ldp x4, x5, [sp, #48]",
        "ldr x6, [sp, #64]",
        "ldp x29, x30, [sp], #80",
        ".cfi_def_cfa_offset 0",
        ".cfi_restore w29",
        ".cfi_restore w30",
        "br x16",
        ".cfi_endproc",
        look = sym look_at_system_call,
    );
}

/// prctl(2). All its arguments are in registers.
#[unsafe(naked)]
unsafe extern "C" fn process_control() {
    #[cfg(target_arch = "x86_64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "push rdi",
        "push rsi",
        "push rdx",
        "push rcx",
        "push r8",
        ".cfi_def_cfa_offset 48",
        "call {look}",
        "pop r8",
        "pop rcx",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        ".cfi_def_cfa_offset 8",
        "jmp rax",
        ".cfi_endproc",
        look = sym look_at_process_control,
    );
    #[cfg(target_arch = "aarch64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-64]!",
        ".cfi_def_cfa_offset 64",
        ".cfi_offset w29, -64",
        ".cfi_offset w30, -56",
        "stp x0, x1, [sp, #16]",
        "stp x2, x3, [sp, #32]",
        "str x4, [sp, #48]",
        "bl {look}",
        "mov x16, x0",
        "ldp x0, x1, [sp, #16]",
        "ldp x2, x3, [sp, #32]",
        "ldr x4, [sp, #48]",
        "ldp x29, x30, [sp], #64",
        ".cfi_def_cfa_offset 0",
        ".cfi_restore w29",
        ".cfi_restore w30",
        "br x16",
        ".cfi_endproc",
        look = sym look_at_process_control,
    );
}

/// Returns the function that continues the call. Never null, since [`watch`] has checked.
extern "C" fn look_at_system_call(number: c_long, first: c_int, second: c_long) -> *mut c_void {
    if is_giving_up(number, first) {
        enter();
    }
    real_time::look_at_system_call(number, second);
    real::address(Entry::SystemCall as usize)
}

/// Returns the function that continues the call. Never null, since [`watch`] has checked.
extern "C" fn look_at_process_control(option: c_int) -> *mut c_void {
    if is_giving_up(libc::SYS_prctl, option) {
        enter();
    }
    real::address(Entry::ProcessControl as usize)
}

/// Whether the system call `number`, with this first argument, gives up further system calls.
fn is_giving_up(number: c_long, first: c_int) -> bool {
    const STRICT: c_int = libc::SECCOMP_SET_MODE_STRICT as c_int;
    const FILTER: c_int = libc::SECCOMP_SET_MODE_FILTER as c_int;
    match number {
        libc::SYS_seccomp => matches!(first, STRICT | FILTER),
        libc::SYS_prctl => first == libc::PR_SET_SECCOMP,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_given_up_by_filters_and_by_the_strict_mode() {
        let filter = libc::SECCOMP_SET_MODE_FILTER as c_int;
        let sizes = libc::SECCOMP_GET_NOTIF_SIZES as c_int;
        assert!(is_giving_up(libc::SYS_seccomp, filter));
        assert!(!is_giving_up(libc::SYS_seccomp, sizes));
        assert!(is_giving_up(libc::SYS_prctl, libc::PR_SET_SECCOMP));
        assert!(!is_giving_up(libc::SYS_prctl, libc::PR_SET_NAME));
        assert!(!is_giving_up(libc::SYS_futex, filter));
    }

    #[test]
    fn other_calls_give_nothing_up() {
        let strict = libc::SECCOMP_SET_MODE_STRICT as c_int;
        assert!(is_giving_up(libc::SYS_seccomp, strict));
        assert!(!is_giving_up(libc::SYS_prctl, strict));
        assert!(!is_giving_up(libc::SYS_seccomp, libc::PR_SET_SECCOMP));
    }
}
