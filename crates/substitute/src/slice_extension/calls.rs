//! The extension's two system calls. They are made by instructions of this library's own: the C library's functions change
//! `errno`, and some of them lead back to this library.

use core::arch::asm;

/// Enables the extension for the calling thread (prctl(2), `PR_RSEQ_SLICE_EXTENSION`). Returns whether the kernel has done it.
pub fn enable() -> bool {
    const PR_RSEQ_SLICE_EXTENSION: usize = 79;
    const SET: usize = 2;
    const ENABLE: usize = 1;
    const PRCTL: usize = libc::SYS_prctl as usize;
    call(PRCTL, [PR_RSEQ_SLICE_EXTENSION, SET, ENABLE]) == 0
}

/// Gives the processor back after a grant (`rseq_slice_yield`, Linux 7.0). Without one, the kernel does nothing.
pub fn give_back() {
    /// The same number on all architectures.
    const RSEQ_SLICE_YIELD: usize = 471;
    call(RSEQ_SLICE_YIELD, [0; 3]);
}

/// Makes a system call of at most five arguments, the last two of which are 0.
#[cfg(target_arch = "x86_64")]
fn call(number: usize, arguments: [usize; 3]) -> isize {
    let result;
    // SAFETY: neither of the two calls reads or writes memory of this program, except the thread's area.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") arguments[0],
            in("rsi") arguments[1],
            in("rdx") arguments[2],
            in("r10") 0,
            in("r8") 0,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// As above.
#[cfg(target_arch = "aarch64")]
fn call(number: usize, arguments: [usize; 3]) -> isize {
    let result;
    // SAFETY: as above.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") arguments[0] => result,
            in("x1") arguments[1],
            in("x2") arguments[2],
            in("x3") 0,
            in("x4") 0,
            options(nostack),
        );
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calls_reach_the_kernel_and_leave_errno_unchanged() {
        // SAFETY: the C library gives every thread its own `errno`.
        unsafe { *libc::__errno_location() = 77 };
        // A process id comes back through the same registers.
        assert_eq!(
            call(libc::SYS_getpid as usize, [0; 3]),
            std::process::id() as isize
        );
        // A kernel that does not have one of them refuses it, and that is an answer too.
        let _ = enable();
        give_back();
        // SAFETY: as above.
        assert_eq!(unsafe { *libc::__errno_location() }, 77);
    }
}
