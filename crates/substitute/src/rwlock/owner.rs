//! The writer inside. It is stored so that a thread that acquires the lock again gets the error for a deadlock.

use core::sync::atomic::Ordering::Relaxed;

use super::object::RwObject;
use crate::thread::{self, caller};

pub const NOBODY: u64 = 0;

impl RwObject {
    /// Whether the calling thread is inside to write.
    #[inline(always)]
    pub fn is_written_by_caller(&self) -> bool {
        // Relaxed: O2: a value that another thread wrote is not the caller.
        self.writer.load(Relaxed) == caller()
    }

    /// Notes that the calling thread has entered to write.
    #[inline(always)]
    pub fn note_writer(&self) {
        // Relaxed: O2; the lock orders it between one writer and the next.
        self.writer.store(caller(), Relaxed);
    }

    /// Notes that the writer inside is about to leave.
    #[inline(always)]
    pub fn forget_writer(&self) {
        // Relaxed: as above.
        self.writer.store(NOBODY, Relaxed);
    }

    /// In a forked child: forgets a writer that does not exist there, so that no new thread is mistaken for it.
    pub fn forget_writer_that_is_gone(&self) {
        // Relaxed: published by the mark.
        let writer = self.writer.load(Relaxed);
        self.writer.store(thread::known_after_fork(writer), Relaxed);
    }
}
