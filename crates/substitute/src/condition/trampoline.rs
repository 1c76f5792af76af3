//! The frames through which a cancelled thread is unwound.
//!
//! When pthread_testcancel(3) or pthread_cancel(3) ends the calling thread, it unwinds the stack. The only frame of this
//! library on it is one of these: assembly with unwind information for each instruction.

use super::cancellation;
use super::wait::{self, ByAClock, ByItsClock, ForEver};

/// Defines a wait. It calls `begin`, which returns another function if the wait is not this library's; then it checks for
/// requests to cancel the thread, and calls `wait`.
macro_rules! wait {
    ($(#[$doc:meta])* $name:ident = $begin:path, $wait:path) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// The arguments that the program passes to the function of that name.
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
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
                // Room for what is kept, and below it for an answer.
                "push 0",
                "push 0",
                "2:",
                "mov rdi, [rbp - 8]",
                "mov rsi, [rbp - 16]",
                "mov rdx, [rbp - 24]",
                "mov rcx, [rbp - 32]",
                "lea r8, [rbp - 40]",
                "call {begin}",
                "test rax, rax",
                "jnz 6f",
                "call {look}",
                "mov rdi, [rbp - 8]",
                "mov rsi, [rbp - 16]",
                "mov rdx, [rbp - 24]",
                "mov rcx, [rbp - 32]",
                "mov r8, [rbp - 40]",
                "call {wait}",
                "bt rax, {again}",
                "jc 2b",
                "bt rax, {cancelled}",
                "jnc 3f",
                "mov [rbp - 48], rax",
                "call {look}",
                "mov rax, [rbp - 48]",
                "3:",
                "cmp dword ptr [rbp - 36], 0",
                "je 4f",
                "mov [rbp - 48], rax",
                "mov edi, 1",
                "lea rsi, [rbp - 40]",
                "call {set_type}",
                "mov rax, [rbp - 48]",
                "4:",
                "leave",
                ".cfi_remember_state",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_restore_state",
                "6:",
                "mov rdi, [rbp - 8]",
                "mov rsi, [rbp - 16]",
                "mov rdx, [rbp - 24]",
                "mov rcx, [rbp - 32]",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "jmp rax",
                ".cfi_endproc",
                begin = sym $begin,
                wait = sym $wait,
                look = sym pthread_testcancel,
                set_type = sym pthread_setcanceltype,
                again = const wait::AGAIN.trailing_zeros(),
                cancelled = const wait::CANCELLED.trailing_zeros(),
            );
            #[cfg(target_arch = "aarch64")]
            core::arch::naked_asm!(
                ".cfi_startproc",
                "stp x29, x30, [sp, #-64]!",
                ".cfi_def_cfa_offset 64",
                ".cfi_offset w29, -64",
                ".cfi_offset w30, -56",
                "mov x29, sp",
                ".cfi_def_cfa_register w29",
                "stp x0, x1, [x29, #16]",
                "stp x2, x3, [x29, #32]",
                // Room for what is kept, and above it for an answer.
                "stp xzr, xzr, [x29, #48]",
                "2:",
                "ldp x0, x1, [x29, #16]",
                "ldp x2, x3, [x29, #32]",
                "add x4, x29, #48",
                "bl {begin}",
                "cbnz x0, 6f",
                "bl {look}",
                "ldp x0, x1, [x29, #16]",
                "ldp x2, x3, [x29, #32]",
                "ldr x4, [x29, #48]",
                "bl {wait}",
                "tbnz x0, #{again}, 2b",
                "str x0, [x29, #56]",
                "tbz x0, #{cancelled}, 3f",
                "bl {look}",
                "3:",
                "ldr w9, [x29, #52]",
                "cbz w9, 4f",
                "mov w0, #1",
                "add x1, x29, #48",
                "bl {set_type}",
                "4:",
                "ldr x0, [x29, #56]",
                "ldp x29, x30, [sp], #64",
                ".cfi_remember_state",
                ".cfi_def_cfa sp, 0",
                ".cfi_restore w29",
                ".cfi_restore w30",
                "ret",
                ".cfi_restore_state",
                "6:",
                "mov x16, x0",
                "ldp x0, x1, [x29, #16]",
                "ldp x2, x3, [x29, #32]",
                "ldp x29, x30, [sp], #64",
                ".cfi_def_cfa sp, 0",
                ".cfi_restore w29",
                ".cfi_restore w30",
                "br x16",
                ".cfi_endproc",
                begin = sym $begin,
                wait = sym $wait,
                look = sym pthread_testcancel,
                set_type = sym pthread_setcanceltype,
                again = const wait::AGAIN.trailing_zeros(),
                cancelled = const wait::CANCELLED.trailing_zeros(),
            );
        }
    };
}

unsafe extern "C" {
    fn pthread_testcancel();
    fn pthread_setcanceltype(
        type_: core::ffi::c_int,
        before: *mut core::ffi::c_int,
    ) -> core::ffi::c_int;
}

wait!(
    /// `pthread_cond_wait`.
    cond_wait = wait::begin::<ForEver>, wait::wait::<ForEver>
);
wait!(
    /// `pthread_cond_timedwait`.
    cond_timed_wait = wait::begin::<ByItsClock>, wait::wait::<ByItsClock>
);
wait!(
    /// `pthread_cond_clockwait`.
    cond_clock_wait = wait::begin::<ByAClock>, wait::wait::<ByAClock>
);
wait!(
    /// `cnd_wait`.
    c11_wait = wait::begin_c11::<ForEver>, wait::wait_c11::<ForEver>
);
wait!(
    /// `cnd_timedwait`.
    c11_timed_wait = wait::begin_c11::<ByItsClock>, wait::wait_c11::<ByItsClock>
);

/// `pthread_cancel`. It calls the C library's function first, which does not return if a thread that may be cancelled at any
/// instruction cancels itself.
///
/// # Safety
/// The thread that the program passes.
#[unsafe(naked)]
pub unsafe extern "C" fn cancel() {
    #[cfg(target_arch = "x86_64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "push rdi",
        ".cfi_def_cfa_offset 16",
        "call {real}",
        "mov rdi, [rsp]",
        "call rax",
        "pop rdi",
        ".cfi_def_cfa_offset 8",
        "mov esi, eax",
        "jmp {after}",
        ".cfi_endproc",
        real = sym cancellation::real_cancel,
        after = sym cancellation::requested,
    );
    #[cfg(target_arch = "aarch64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-32]!",
        ".cfi_def_cfa_offset 32",
        ".cfi_offset w29, -32",
        ".cfi_offset w30, -24",
        "str x0, [sp, #16]",
        "bl {real}",
        "mov x16, x0",
        "ldr x0, [sp, #16]",
        "blr x16",
        "mov w1, w0",
        "ldr x0, [sp, #16]",
        "ldp x29, x30, [sp], #32",
        ".cfi_def_cfa_offset 0",
        ".cfi_restore w29",
        ".cfi_restore w30",
        "b {after}",
        ".cfi_endproc",
        real = sym cancellation::real_cancel,
        after = sym cancellation::requested,
    );
}
