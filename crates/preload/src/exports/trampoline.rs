//! The few lines of assembly between the program's call and the hook.

/// Passes the return address as one more argument after the program's: the first, second, third, fourth or fifth.
macro_rules! with_return_address {
    ($hook:path, first) => {
        with_return_address!(@ $hook, "rdi", "x0")
    };
    ($hook:path, second) => {
        with_return_address!(@ $hook, "rsi", "x1")
    };
    ($hook:path, third) => {
        with_return_address!(@ $hook, "rdx", "x2")
    };
    ($hook:path, fourth) => {
        with_return_address!(@ $hook, "rcx", "x3")
    };
    ($hook:path, fifth) => {
        with_return_address!(@ $hook, "r8", "x4")
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

/// Calls the real function between `before`, which returns the real function's address, and `after`. Meanwhile `bytes` bytes
/// on the stack are reserved for what the two share. The real function has up to four arguments, and `before` gets the first
/// two.
macro_rules! around_wait {
    ($before:path, $after:path, $bytes:expr) => {{
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
            "sub rsp, {bytes}",
            "mov rdx, [rbp + 8]",
            "mov rcx, rsp",
            "call {before}",
            "mov rdi, [rbp - 8]",
            "mov rsi, [rbp - 16]",
            "mov rdx, [rbp - 24]",
            "mov rcx, [rbp - 32]",
            "call rax",
            "mov edi, eax",
            "mov rsi, rsp",
            "call {after}",
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_endproc",
            before = sym $before,
            after = sym $after,
            bytes = const $bytes,
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
            "sub sp, sp, #{bytes}",
            "ldr x2, [x29, #8]",
            "mov x3, sp",
            "bl {before}",
            "mov x16, x0",
            "ldp x0, x1, [x29, #16]",
            "ldp x2, x3, [x29, #32]",
            "blr x16",
            "mov x1, sp",
            "bl {after}",
            "mov sp, x29",
            "ldp x29, x30, [sp], #48",
            ".cfi_def_cfa sp, 0",
            ".cfi_restore w29",
            ".cfi_restore w30",
            "ret",
            ".cfi_endproc",
            before = sym $before,
            after = sym $after,
            bytes = const $bytes,
        );
    }};
}

/// Calls three functions in turn: `enter`; the function that `enter` returns, which checks for requests to cancel the thread;
/// and `before`, which returns the real function's address, or null if there is nothing left to do. Then it calls the real
/// function, with up to four arguments, and `after`. Meanwhile `bytes` bytes on the stack are reserved. `enter` gets the first
/// three arguments, `before` the first.
macro_rules! around_cancellation_point {
    ($enter:path, $before:path, $after:path, $bytes:expr) => {{
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
            "sub rsp, {bytes}",
            "mov rcx, rsp",
            "call {enter}",
            "call rax",
            "mov rdi, [rbp - 8]",
            "mov rsi, [rbp + 8]",
            "mov rdx, rsp",
            "call {before}",
            "test rax, rax",
            "jz 2f",
            "mov rdi, [rbp - 8]",
            "mov rsi, [rbp - 16]",
            "mov rdx, [rbp - 24]",
            "mov rcx, [rbp - 32]",
            "call rax",
            "mov edi, eax",
            "mov rsi, rsp",
            "call {after}",
            "2:",
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_endproc",
            enter = sym $enter,
            before = sym $before,
            after = sym $after,
            bytes = const $bytes,
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
            "sub sp, sp, #{bytes}",
            "mov x3, sp",
            "bl {enter}",
            "blr x0",
            "ldr x0, [x29, #16]",
            "ldr x1, [x29, #8]",
            "mov x2, sp",
            "bl {before}",
            "cbz x0, 2f",
            "mov x16, x0",
            "ldp x0, x1, [x29, #16]",
            "ldp x2, x3, [x29, #32]",
            "blr x16",
            "mov x1, sp",
            "bl {after}",
            "2:",
            "mov sp, x29",
            "ldp x29, x30, [sp], #48",
            ".cfi_def_cfa sp, 0",
            ".cfi_restore w29",
            ".cfi_restore w30",
            "ret",
            ".cfi_endproc",
            enter = sym $enter,
            before = sym $before,
            after = sym $after,
            bytes = const $bytes,
        );
    }};
}

/// Jumps to the real function with the arguments unchanged. If the thread holds a lock or the real function has not been looked up,
/// it calls `note` before, with the real function's slot and the second argument. If `note` returns a time, it calls the real function
/// in place of the jump, and then [`note_end`](crate::hooks::blocking::note_end), with that time and `number`. The real function must
/// then have all its arguments in registers.
///
/// It touches only registers that carry no argument. AL, which says whether variable arguments are in vector registers, is
/// kept as well.
macro_rules! onward {
    ($real:path, $note:path, $number:expr) => {{
        #[cfg(target_arch = "x86_64")]
        core::arch::naked_asm!(
            ".cfi_startproc",
            "mov r11, qword ptr [rip + locktoll_current_thread@GOTTPOFF]",
            "mov r11, qword ptr fs:[r11]",
            "test r11, r11",
            "jz 2f",
            "cmp dword ptr [r11 + {depth}], 0",
            "jne 3f",
            "2:",
            "mov r11, qword ptr [rip + {real}]",
            "test r11, r11",
            "jz 3f",
            "jmp r11",
            "3:",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "push rax",
            "push rdi",
            "push rsi",
            "push rdx",
            "push rcx",
            "push r8",
            "push r9",
            "sub rsp, 8",
            "lea rdi, [rip + {real}]",
            "call {note}",
            "mov r11, rax",
            "mov [rsp], rdx",
            "test rdx, rdx",
            "mov r9, [rbp - 56]",
            "mov r8, [rbp - 48]",
            "mov rcx, [rbp - 40]",
            "mov rdx, [rbp - 32]",
            "mov rsi, [rbp - 24]",
            "mov rdi, [rbp - 16]",
            "mov rax, [rbp - 8]",
            "jz 4f",
            "call r11",
            "mov [rbp - 8], rax",
            "mov rdi, [rsp]",
            "mov esi, {number}",
            "call {end}",
            "mov rax, [rbp - 8]",
            ".cfi_remember_state",
            "leave",
            ".cfi_def_cfa rsp, 8",
            ".cfi_restore rbp",
            "ret",
            ".cfi_restore_state",
            "4:",
            "leave",
            ".cfi_def_cfa rsp, 8",
            ".cfi_restore rbp",
            "jmp r11",
            ".cfi_endproc",
            depth = const crate::hooks::blocking::HELD_DEPTH,
            real = sym $real,
            note = sym $note,
            number = const $number,
            end = sym crate::hooks::blocking::note_end,
        );
        #[cfg(target_arch = "aarch64")]
        core::arch::naked_asm!(
            ".cfi_startproc",
            "mrs x16, tpidr_el0",
            "adrp x17, :gottprel:locktoll_current_thread",
            "ldr x17, [x17, :gottprel_lo12:locktoll_current_thread]",
            "ldr x16, [x16, x17]",
            "cbz x16, 2f",
            "ldr w16, [x16, #{depth}]",
            "cbnz w16, 3f",
            "2:",
            "adrp x16, {real}",
            "ldr x16, [x16, :lo12:{real}]",
            "cbz x16, 3f",
            "br x16",
            "3:",
            "stp x29, x30, [sp, #-96]!",
            ".cfi_def_cfa_offset 96",
            ".cfi_offset w29, -96",
            ".cfi_offset w30, -88",
            "mov x29, sp",
            ".cfi_def_cfa_register w29",
            "stp x0, x1, [x29, #16]",
            "stp x2, x3, [x29, #32]",
            "stp x4, x5, [x29, #48]",
            "stp x6, x7, [x29, #64]",
            "adrp x0, {real}",
            "add x0, x0, :lo12:{real}",
            "bl {note}",
            "str x1, [x29, #80]",
            "mov x16, x0",
            "mov x17, x1",
            "ldp x0, x1, [x29, #16]",
            "ldp x2, x3, [x29, #32]",
            "ldp x4, x5, [x29, #48]",
            "ldp x6, x7, [x29, #64]",
            "cbz x17, 4f",
            "blr x16",
            "str x0, [x29, #16]",
            "ldr x0, [x29, #80]",
            "mov w1, #{number}",
            "bl {end}",
            "ldr x0, [x29, #16]",
            ".cfi_remember_state",
            "ldp x29, x30, [sp], #96",
            ".cfi_def_cfa sp, 0",
            ".cfi_restore w29",
            ".cfi_restore w30",
            "ret",
            ".cfi_restore_state",
            "4:",
            "ldp x29, x30, [sp], #96",
            ".cfi_def_cfa sp, 0",
            ".cfi_restore w29",
            ".cfi_restore w30",
            "br x16",
            ".cfi_endproc",
            depth = const crate::hooks::blocking::HELD_DEPTH,
            real = sym $real,
            note = sym $note,
            number = const $number,
            end = sym crate::hooks::blocking::note_end,
        );
    }};
}

pub(super) use {around_cancellation_point, around_wait, onward, with_return_address};
