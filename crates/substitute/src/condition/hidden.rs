//! A condition between processes, used with a mutex of one process.
//!
//! The condition is the C library's. Its wait releases and acquires the mutex without using the exported names, so the mutex
//! must be the C library's own, but the program's mutex may be one of this library. So the wait gets a mutex that the program
//! does not see. The program's mutex is released before the wait and acquired after it, by the exported names.
//!
//! No signal is lost in between: the hidden mutex is held from before the release of the program's mutex until the C library's
//! wait has registered itself, and a signal is sent with the hidden mutex held. The hidden mutex need not be the same in other
//! processes, since a thread there cannot hold the program's mutex either, and so has no guarantee about the order of its
//! signal.
//!
//! # Invariants
//!
//! - **N1** A thread that holds a hidden mutex acquires no other lock except the C library's own inside a condition.
//! - **N2** [`IN_USE`] is set before the first wait of this kind releases the program's mutex. So a thread that has acquired
//!   that mutex since, and signals, sees it set.

use core::cell::UnsafeCell;
use core::ffi::{c_int, c_void};
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

use libc::{PTHREAD_MUTEX_INITIALIZER, pthread_cond_t, pthread_mutex_t};

use super::cancellation::{WIPED, bucket_of};
use super::clean_up::{_pthread_cleanup_pop, _pthread_cleanup_push};
use crate::entries::Entry;
use crate::mutex::{lock_after_wait, unlock_for_wait};
use crate::real::{self, real_function};

real_function! {
    real_lock = MutexLock(mutex: *mut pthread_mutex_t);
    real_unlock = MutexUnlock(mutex: *mut pthread_mutex_t);
}

/// A mutex that the program does not see. It is all zeros when free, also in a forked child (K3).
#[repr(C, align(64))]
pub struct Hidden(UnsafeCell<pthread_mutex_t>);

// SAFETY: only the C library's functions use it.
unsafe impl Sync for Hidden {}

impl Hidden {
    pub(super) const fn new() -> Self {
        Self(UnsafeCell::new(PTHREAD_MUTEX_INITIALIZER))
    }

    fn of(condition: *mut pthread_cond_t) -> *mut pthread_mutex_t {
        WIPED.hidden[bucket_of(condition as usize)].0.get()
    }
}

/// Whether any thread has ever waited in this way.
static IN_USE: AtomicBool = AtomicBool::new(false);

/// Signals or broadcasts with `function`, which is the C library's.
///
/// # Safety
/// The program's own condition between processes.
pub unsafe fn tell(
    condition: *mut pthread_cond_t,
    function: unsafe fn(*mut pthread_cond_t) -> c_int,
) -> c_int {
    // Relaxed: N2: the program's mutex orders the two.
    if !IN_USE.load(Relaxed) {
        // SAFETY: the caller's promise.
        return unsafe { function(condition) };
    }
    let hidden = Hidden::of(condition);
    // SAFETY: a mutex of the C library, and the caller's promise.
    unsafe {
        real_lock(hidden);
        let result = function(condition);
        real_unlock(hidden);
        result
    }
}

/// What is kept in the frame of a wait.
#[repr(C)]
pub struct Held {
    hidden: *mut pthread_mutex_t,
    mutex: *mut pthread_mutex_t,
}

/// Called before the C library's wait. Returns the result if the program's call is to return at once; otherwise fills `held`
/// and returns 0.
unsafe extern "C" fn enter(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    held: *mut Held,
) -> c_int {
    // Relaxed: N2.
    IN_USE.store(true, Relaxed);
    let hidden = Hidden::of(condition);
    // SAFETY: a mutex of the C library; room in the caller's frame; the program's own mutex.
    unsafe {
        real_lock(hidden);
        held.write(Held { hidden, mutex });
        let error = unlock_for_wait(mutex);
        if error != 0 {
            real_unlock(hidden);
        }
        error
    }
}

/// Called after the C library's wait, which has acquired the hidden mutex again.
unsafe extern "C" fn leave(result: c_int, held: *const Held) -> c_int {
    // SAFETY: filled by `enter`. N1: released before the program's own mutex is acquired.
    let error = unsafe {
        real_unlock((*held).hidden);
        lock_after_wait((*held).mutex)
    };
    if error != 0 { error } else { result }
}

/// Does the same for a thread that has been cancelled in the wait.
unsafe extern "C" fn clean_up(held: *mut c_void) {
    // SAFETY: as above.
    unsafe { leave(0, held.cast()) };
}

macro_rules! hidden_wait {
    ($(#[$doc:meta])* $name:ident, $address:ident = $entry:ident) => {
        extern "C" fn $address() -> *mut c_void {
            real::address(Entry::$entry as usize)
        }

        $(#[$doc])*
        ///
        /// # Safety
        /// The arguments that the program passes to the function of that name, which this C library has, with a condition
        /// between processes.
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
                // 16 bytes for the real function and the result, 16 for what is held, 32 for the C library's clean-up.
                "sub rsp, 64",
                "lea rdx, [rbp - 64]",
                "call {enter}",
                "test eax, eax",
                "jnz 2f",
                "call {address}",
                "mov [rbp - 40], rax",
                "lea rdi, [rbp - 96]",
                "lea rsi, [rip + {clean_up}]",
                "lea rdx, [rbp - 64]",
                "call {push}",
                "mov rdi, [rbp - 8]",
                "mov rsi, [rbp - 64]",
                "mov rdx, [rbp - 24]",
                "mov rcx, [rbp - 32]",
                "call [rbp - 40]",
                "mov [rbp - 40], rax",
                "lea rdi, [rbp - 96]",
                "xor esi, esi",
                "call {pop}",
                "mov edi, [rbp - 40]",
                "lea rsi, [rbp - 64]",
                "call {leave}",
                "2:",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                enter = sym enter,
                address = sym $address,
                clean_up = sym clean_up,
                push = sym _pthread_cleanup_push,
                pop = sym _pthread_cleanup_pop,
                leave = sym leave,
            );
            #[cfg(target_arch = "aarch64")]
            core::arch::naked_asm!(
                ".cfi_startproc",
                "stp x29, x30, [sp, #-112]!",
                ".cfi_def_cfa_offset 112",
                ".cfi_offset w29, -112",
                ".cfi_offset w30, -104",
                "mov x29, sp",
                ".cfi_def_cfa_register w29",
                "stp x0, x1, [x29, #16]",
                "stp x2, x3, [x29, #32]",
                // What is held is at 48, the real function and the result at 64, the C library's clean-up at 80.
                "add x2, x29, #48",
                "bl {enter}",
                "cbnz w0, 2f",
                "bl {address}",
                "str x0, [x29, #64]",
                "add x0, x29, #80",
                "adrp x1, {clean_up}",
                "add x1, x1, :lo12:{clean_up}",
                "add x2, x29, #48",
                "bl {push}",
                "ldr x16, [x29, #64]",
                "ldr x0, [x29, #16]",
                "ldr x1, [x29, #48]",
                "ldp x2, x3, [x29, #32]",
                "blr x16",
                "str x0, [x29, #64]",
                "add x0, x29, #80",
                "mov w1, #0",
                "bl {pop}",
                "ldr w0, [x29, #64]",
                "add x1, x29, #48",
                "bl {leave}",
                "2:",
                "ldp x29, x30, [sp], #112",
                ".cfi_def_cfa sp, 0",
                ".cfi_restore w29",
                ".cfi_restore w30",
                "ret",
                ".cfi_endproc",
                enter = sym enter,
                address = sym $address,
                clean_up = sym clean_up,
                push = sym _pthread_cleanup_push,
                pop = sym _pthread_cleanup_pop,
                leave = sym leave,
            );
        }
    };
}

hidden_wait!(
    /// `pthread_cond_wait`.
    wait, address_of_wait = ConditionWait
);
hidden_wait!(
    /// `pthread_cond_timedwait`.
    timed_wait, address_of_timed_wait = ConditionTimedWait
);
hidden_wait!(
    /// `pthread_cond_clockwait`.
    clock_wait, address_of_clock_wait = ConditionClockWait
);
