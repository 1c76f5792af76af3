//! The writer inside, so that a thread which asks again gets the error for a deadlock.

use core::sync::atomic::Ordering::Relaxed;

use super::object::RwObject;
use crate::thread::{self, caller};

pub const NOBODY: u64 = 0;

impl RwObject {
    /// Whether the calling thread is inside to write.
    #[inline(always)]
    pub fn is_written_by_caller(&self) -> bool {
        // Relaxed: O2: what another thread wrote is not the caller.
        self.writer.load(Relaxed) == caller()
    }

    /// Notes that the calling thread has come in to write.
    #[inline(always)]
    pub fn note_writer(&self) {
        // Relaxed: O2; ordered by the lock between one writer and the next.
        self.writer.store(caller(), Relaxed);
    }

    /// Notes that the writer inside is about to leave.
    #[inline(always)]
    pub fn forget_writer(&self) {
        // Relaxed: as above.
        self.writer.store(NOBODY, Relaxed);
    }

    /// In a forked child: forgets a writer that is not here, so that no new thread is taken for it.
    pub fn forget_writer_that_is_gone(&self) {
        // Relaxed: published by the mark.
        let writer = self.writer.load(Relaxed);
        self.writer.store(thread::known_after_fork(writer), Relaxed);
    }
}
