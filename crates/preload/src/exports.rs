//! The names that the dynamic linker finds before the C library's.
//!
//! Each mutex function adds its return address as one more argument and goes on to its hook; the hook returns to the
//! program by itself. That takes a naked function: in any other, the compiler decides where the return address is.
//!
//! Waits for a condition are cancellation points: the thread may be unwound out of them (pthread_cancel(3)). No Rust
//! function may be in the way of that, so they are called from frames of assembly, with the call frame information
//! (DWARF 4, 6.4) that an unwinder needs to pass.

use core::ffi::c_int;

use libc::{clockid_t, pthread_cond_t, pthread_mutex_t, timespec};

use crate::hooks;

/// Passes the return address on as the argument after the last: the second, third or fourth.
macro_rules! with_return_address {
    ($hook:path, second) => {
        with_return_address!(@ $hook, "rsi", "x1")
    };
    ($hook:path, third) => {
        with_return_address!(@ $hook, "rdx", "x2")
    };
    ($hook:path, fourth) => {
        with_return_address!(@ $hook, "rcx", "x3")
    };
    (@ $hook:path, $x86_64:literal, $aarch64:literal) => {{
        #[cfg(target_arch = "x86_64")]
        core::arch::naked_asm!(
            ".cfi_startproc",
            concat!("mov ", $x86_64, ", [rsp]"),
            "jmp {hook}",
            ".cfi_endproc",
            hook = sym $hook,
        );
        #[cfg(target_arch = "aarch64")]
        core::arch::naked_asm!(
            ".cfi_startproc",
            concat!("mov ", $aarch64, ", x30"),
            "b {hook}",
            ".cfi_endproc",
            hook = sym $hook,
        );
    }};
}

/// pthread_mutex_lock(3p).
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int {
    with_return_address!(hooks::lock, second)
}

/// pthread_mutex_trylock(3p).
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_trylock(mutex: *mut pthread_mutex_t) -> c_int {
    with_return_address!(hooks::trylock, second)
}

/// pthread_mutex_timedlock(3p).
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_timedlock(
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
) -> c_int {
    with_return_address!(hooks::timedlock, third)
}

/// pthread_mutex_clocklock(3), of the GNU C library since 2.30.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_clocklock(
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    with_return_address!(hooks::clocklock, fourth)
}

/// Calls the real function between `before`, which says where it is, and what follows a wait. The mutex is the second
/// argument of each of these functions.
macro_rules! around_condition_wait {
    ($before:path) => {{
        #[cfg(target_arch = "x86_64")]
        core::arch::naked_asm!(
            ".cfi_startproc",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "push rdi",
            "push rsi",
            "push rdx",
            "push rcx",
            "call {before}",
            "mov rdi, [rbp - 8]",
            "mov rsi, [rbp - 16]",
            "mov rdx, [rbp - 24]",
            "mov rcx, [rbp - 32]",
            "call rax",
            "mov rdi, [rbp - 16]",
            "mov rsi, [rbp + 8]",
            "mov edx, eax",
            "call {after}",
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_endproc",
            before = sym $before,
            after = sym hooks::after_condition_wait,
        );
        #[cfg(target_arch = "aarch64")]
        core::arch::naked_asm!(
            ".cfi_startproc",
            "stp x29, x30, [sp, #-48]!",
            ".cfi_def_cfa_offset 48",
            ".cfi_offset w29, -48",
            ".cfi_offset w30, -40",
            "mov x29, sp",
            ".cfi_def_cfa_register w29",
            "stp x0, x1, [x29, #16]",
            "stp x2, x3, [x29, #32]",
            "bl {before}",
            "mov x16, x0",
            "ldp x0, x1, [x29, #16]",
            "ldp x2, x3, [x29, #32]",
            "blr x16",
            "mov w2, w0",
            "ldr x0, [x29, #24]",
            "ldr x1, [x29, #8]",
            "bl {after}",
            "ldp x29, x30, [sp], #48",
            ".cfi_def_cfa sp, 0",
            ".cfi_restore w29",
            ".cfi_restore w30",
            "ret",
            ".cfi_endproc",
            before = sym $before,
            after = sym hooks::after_condition_wait,
        );
    }};
}

/// pthread_cond_wait(3p).
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_wait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
) -> c_int {
    around_condition_wait!(hooks::before_cond_wait)
}

/// pthread_cond_timedwait(3p).
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_timedwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
) -> c_int {
    around_condition_wait!(hooks::before_cond_timedwait)
}

/// pthread_cond_clockwait(3), of the GNU C library since 2.30.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_clockwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    around_condition_wait!(hooks::before_cond_clockwait)
}
