//! A word for each side, slept on by WaitOnAddress and woken by WakeByAddressSingle, as in user-first locks.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use windows_sys::Win32::System::Threading::{INFINITE, WaitOnAddress, WakeByAddressSingle};

use crate::probe::ping_pong::HandOver;

/// A cache line for each word, so that waking a side writes nothing but its word.
#[repr(align(128))]
#[derive(Default)]
struct Line(AtomicU32);

/// One word per side: 0, or 1 when the side may go on.
#[derive(Default)]
pub(super) struct Words([Line; 2]);

/// Sleeps if the word is `expected`. It may also return spuriously.
///
/// # Errors
/// Windows' error; none is known without a timeout.
#[inline]
pub(super) fn wait_on(word: &AtomicU32, expected: u32) -> io::Result<()> {
    // SAFETY: the word outlives the call, which compares it with the four bytes of `expected`.
    let woken = unsafe {
        WaitOnAddress(
            word.as_ptr().cast_const().cast(),
            (&raw const expected).cast(),
            size_of::<u32>(),
            INFINITE,
        )
    };
    match woken {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Wakes one sleeper.
#[inline]
pub(super) fn wake_one(word: &AtomicU32) {
    // SAFETY: the address is only a key and is not read.
    unsafe { WakeByAddressSingle(word.as_ptr().cast_const().cast()) };
}

impl HandOver for Words {
    #[inline]
    fn wake(&self, side: usize) -> io::Result<()> {
        let word = &self.0[side].0;
        // Release: what this thread did before the hand-over is seen after it.
        word.store(1, Ordering::Release);
        wake_one(word);
        Ok(())
    }

    #[inline]
    fn wait(&self, side: usize) -> io::Result<()> {
        let word = &self.0[side].0;
        // Acquire: the other half of the release above.
        while word.load(Ordering::Acquire) == 0 {
            wait_on(word, 0)?;
        }
        // Relaxed: the other side writes here again only after a hand-over to it.
        word.store(0, Ordering::Relaxed);
        Ok(())
    }
}
