//! The two futex calls (futex(2)), as locks make them.

use std::io;
use std::sync::atomic::AtomicU32;

/// FUTEX_WAIT_PRIVATE: sleeps if the word is `expected`.
///
/// # Errors
/// `EAGAIN` if it is not, `EINTR` after a signal; others where the call is not permitted.
#[inline]
pub(super) fn wait(word: &AtomicU32, expected: u32) -> io::Result<()> {
    let no_timeout = std::ptr::null::<libc::timespec>();
    // SAFETY: the word outlives the call, and the kernel only compares it.
    let result = unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            expected,
            no_timeout,
        )
    };
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// FUTEX_WAKE_PRIVATE: wakes one sleeper, and returns how many it woke.
///
/// # Errors
/// The kernel's error, where the call is not permitted.
#[inline]
pub(super) fn wake(word: &AtomicU32) -> io::Result<u32> {
    // SAFETY: the kernel uses the word's address only as a key.
    let result = unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
            1,
        )
    };
    match result {
        -1 => Err(io::Error::last_os_error()),
        woken => Ok(woken as u32),
    }
}
