//! A function of the C library with a call before it and a call after it.
//!
//! A thread that is cancelled inside the C library's function (pthreads(7)) unwinds the stack. The only frame of this library on it is
//! then this one: assembly with unwind information for each instruction.

/// Defines a function with the arguments of the C library's function that `before` returns. It calls `before` with those arguments,
/// the C library's function, and `after` with the answer and the first two arguments. It passes on the answer.
macro_rules! wrapped {
    ($name:ident = $before:ident, $after:ident) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
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
                "mov edi, eax",
                "mov rsi, [rbp - 8]",
                "mov rdx, [rbp - 16]",
                // The third argument is not needed again; its place keeps the answer.
                "mov [rbp - 24], rax",
                "call {after}",
                "mov rax, [rbp - 24]",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                before = sym $before,
                after = sym $after,
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
                "ldp x1, x2, [x29, #16]",
                "str x0, [x29, #32]",
                "bl {after}",
                "ldr x0, [x29, #32]",
                "ldp x29, x30, [sp], #48",
                ".cfi_def_cfa sp, 0",
                ".cfi_restore w29",
                ".cfi_restore w30",
                "ret",
                ".cfi_endproc",
                before = sym $before,
                after = sym $after,
            );
        }
    };
}

pub(crate) use wrapped;
