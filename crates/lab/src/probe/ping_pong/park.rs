//! `std::thread::park` and `unpark`.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Thread, current, park};

use super::game::HandOver;

/// The thread to unpark on each side, and whether it may go on.
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
        // A park may end spuriously, so the flag decides. The token is consumed even if the flag is already set; otherwise it
        // would end the next wait too early.
        loop {
            park();
            // Acquire: the other half of the release above.
            if self.may_go[side].swap(false, Ordering::Acquire) {
                return Ok(());
            }
        }
    }
}
