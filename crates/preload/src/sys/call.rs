//! The system call itself, and whether it may be made.

use core::ffi::c_int;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

/// An errno(3) number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub c_int);

/// Makes the call.
///
/// # Safety
/// S1 and S2, and the effect of the call itself is sound.
#[inline]
pub unsafe fn call<const N: usize>(number: i64, arguments: [usize; N]) -> isize {
    const { assert!(N <= 6) };
    let mut six = [0; 6];
    six[..N].copy_from_slice(&arguments);
    // SAFETY: the caller's promise.
    unsafe { call_with_six(number, six) }
}

#[cfg(target_arch = "x86_64")]
unsafe fn call_with_six(number: i64, a: [usize; 6]) -> isize {
    let result;
    // SAFETY: the kernel's calling convention on x86-64; rcx and r11 are clobbered by `syscall`. The caller is responsible for
    // the effect of the call itself.
    unsafe {
        core::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a[0], in("rsi") a[1], in("rdx") a[2],
            in("r10") a[3], in("r8") a[4], in("r9") a[5],
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    result
}

#[cfg(target_arch = "aarch64")]
unsafe fn call_with_six(number: i64, a: [usize; 6]) -> isize {
    let result;
    // SAFETY: the kernel's calling convention on aarch64. The caller is responsible for the effect of the call itself.
    unsafe {
        core::arch::asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") a[0] as isize => result,
            in("x1") a[1], in("x2") a[2], in("x3") a[3], in("x4") a[4], in("x5") a[5],
            options(nostack),
        );
    }
    result
}

/// How often the process, or one that it was forked off from, has given up system calls.
pub static GIVEN_UP: AtomicU32 = AtomicU32::new(0);

/// Whether the process has given up system calls, or is about to.
pub fn are_calls_given_up() -> bool {
    // Relaxed: no ordering could close the gap between this and a call.
    GIVEN_UP.load(Relaxed) != 0
}

/// Does the same as [`call`], but distinguishes errors, and makes the call only while calls are allowed.
///
/// # Safety
/// As for [`call`].
pub unsafe fn checked<const N: usize>(number: i64, arguments: [usize; N]) -> Result<usize, Errno> {
    // Another thread may have given up system calls for all threads meanwhile: the kernel would kill the process for this
    // call.
    if are_calls_given_up() {
        return Err(Errno(libc::EPERM));
    }
    // SAFETY: the caller's promise is the callee's.
    let result = unsafe { call(number, arguments) };
    // The kernel returns -4095..-1 for errors only.
    if (-4095..0).contains(&result) {
        Err(Errno(-result as c_int))
    } else {
        Ok(result as usize)
    }
}
