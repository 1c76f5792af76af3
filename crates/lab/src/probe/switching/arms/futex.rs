//! A word for each side, slept on and woken by futex(2), as in locks.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use super::super::futex;
use crate::probe::ping_pong::HandOver;

/// A cache line for each word, so that waking a side writes nothing but its word.
#[repr(align(128))]
#[derive(Default)]
struct Line(AtomicU32);

/// One word per side: 0, or 1 when the side may go on.
#[derive(Default)]
pub(in super::super) struct FutexWords([Line; 2]);

impl HandOver for FutexWords {
    #[inline]
    fn wake(&self, side: usize) -> io::Result<()> {
        let word = &self.0[side].0;
        // Release: what this thread did before the hand-over is seen after it.
        word.store(1, Ordering::Release);
        futex::wake(word).map(drop)
    }

    #[inline]
    fn wait(&self, side: usize) -> io::Result<()> {
        let word = &self.0[side].0;
        // Acquire: the other half of the release above.
        while word.load(Ordering::Acquire) == 0 {
            match futex::wait(word, 0) {
                // EAGAIN: woken before it slept; EINTR: a signal. The word decides.
                Err(error)
                    if ![Some(libc::EAGAIN), Some(libc::EINTR)].contains(&error.raw_os_error()) =>
                {
                    return Err(error);
                }
                _ => {}
            }
        }
        // Relaxed: the other side writes here again only after a hand-over to it.
        word.store(0, Ordering::Relaxed);
        Ok(())
    }
}
