//! Threads.

use core::ffi::{c_int, c_void};

use libc::{pthread_attr_t, pthread_t};

use crate::hooks::threads as hooks;
use crate::real::Opaque;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    routine: Option<Opaque>,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: H1: they are the program's own arguments.
    unsafe { hooks::create(thread, attributes, routine, argument, first_frame) }
}

/// thrd_create(3), of the GNU C library since 2.28.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thrd_create(
    thread: *mut pthread_t,
    routine: Option<Opaque>,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: H1: they are the program's own arguments.
    unsafe { hooks::create_c11(thread, routine, argument, first_frame) }
}

/// The first code of a new thread: notes its start, then jumps to the program's routine. So no frame of this library is in the
/// way of a thread that is unwound, and the routine returns to the C library.
#[unsafe(naked)]
unsafe extern "C" fn first_frame() {
    #[cfg(target_arch = "x86_64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "sub rsp, 8",
        ".cfi_adjust_cfa_offset 8",
        "call {begin}",
        "add rsp, 8",
        ".cfi_adjust_cfa_offset -8",
        "mov rdi, rdx",
        "jmp rax",
        ".cfi_endproc",
        begin = sym hooks::begin,
    );
    #[cfg(target_arch = "aarch64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-16]!",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset w29, -16",
        ".cfi_offset w30, -8",
        "bl {begin}",
        "ldp x29, x30, [sp], #16",
        ".cfi_def_cfa_offset 0",
        ".cfi_restore w29",
        ".cfi_restore w30",
        "mov x16, x0",
        "mov x0, x1",
        "br x16",
        ".cfi_endproc",
        begin = sym hooks::begin,
    );
}
