//! `std::thread::park` and `unpark`.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Thread, current, park};

use super::game::HandOver;

/// Who is to be unparked on each side, and whether it has been.
#[derive(Default)]
pub(in crate::probe) struct Parking {
    threads: [OnceLock<Thread>; 2],
    may_go: [AtomicBool; 2],
}

impl HandOver for Parking {
    fn enter(&self, side: usize) -> Result<(), String> {
        self.threads[side].get_or_init(current);
        Ok(())
    }

    #[inline]
    fn wake(&self, side: usize) -> io::Result<()> {
        // Release: what this thread did before the hand-over is seen after it.
        self.may_go[side].store(true, Ordering::Release);
        if let Some(thread) = self.threads[side].get() {
            thread.unpark();
        }
        Ok(())
    }

    #[inline]
    fn wait(&self, side: usize) -> io::Result<()> {
        // A park may end for no reason: the flag decides. The token is taken even if the flag is there first, or it
        // would end the next wait before its time.
        loop {
            park();
            // Acquire: the other half of the release above.
            if self.may_go[side].swap(false, Ordering::Acquire) {
                return Ok(());
            }
        }
    }
}
