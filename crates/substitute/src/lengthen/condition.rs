//! The C library's own conditions: a wait interrupts the hold of its mutex.
//!
//! A thread that is cancelled in the wait unwinds the stack. The only frame of this library on it is one of these: assembly with
//! unwind information for each instruction. Its clean-up handlers then hold the mutex in a hold that is not lengthened.

use core::ffi::c_void;

use libc::pthread_mutex_t;

use super::mutex;
use crate::entries::{self, Entry};
use crate::real;

/// Redirects the names of waits.
pub fn replace() {
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::ConditionWait, wait as *mut _);
        entries::send(Entry::ConditionTimedWait, timed_wait as *mut _);
        entries::send(Entry::ConditionClockWait, clock_wait as *mut _);
        entries::send(Entry::CndWait, c11_wait as *mut _);
        entries::send(Entry::CndTimedWait, c11_timed_wait as *mut _);
    }
}

/// Defines a wait, whose second argument is the mutex: ends the hold, calls the C library's function, begins another hold.
macro_rules! wait {
    ($name:ident = $before:ident, $entry:ident) => {
        unsafe extern "C" fn $before(_: *mut c_void, mutex: *mut pthread_mutex_t) -> *mut c_void {
            // SAFETY: the program's own mutex.
            unsafe { mutex::releasing(mutex) };
            // Not null: the library has been started by the call that came here.
            real::address(Entry::$entry as usize)
        }

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
                // The first argument is not needed again; its place keeps the answer.
                "mov [rbp - 8], rax",
                "mov rdi, [rbp - 16]",
                "call {after}",
                "mov rax, [rbp - 8]",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                before = sym $before,
                after = sym after,
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
                "str x0, [x29, #16]",
                "ldr x0, [x29, #24]",
                "bl {after}",
                "ldr x0, [x29, #16]",
                "ldp x29, x30, [sp], #48",
                ".cfi_def_cfa sp, 0",
                ".cfi_restore w29",
                ".cfi_restore w30",
                "ret",
                ".cfi_endproc",
                before = sym $before,
                after = sym after,
            );
        }
    };
}

wait!(wait = before_wait, ConditionWait);
wait!(timed_wait = before_timed_wait, ConditionTimedWait);
wait!(clock_wait = before_clock_wait, ConditionClockWait);
wait!(c11_wait = before_c11_wait, CndWait);
wait!(c11_timed_wait = before_c11_timed_wait, CndTimedWait);

unsafe extern "C" fn after(mutex: *mut pthread_mutex_t) {
    // SAFETY: the program's own mutex. It is held again, except after an error of use, and then the hold is never ended.
    unsafe { mutex::acquired_again(mutex) };
}
