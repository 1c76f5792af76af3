//! The previous owner of the lock: the longest run of one owner, and whether all acquisitions were seen.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Tracks the owner of one lock; only the holder touches it.
///
/// Relaxed: the lock under test orders the accesses, and a broken lock must not make them undefined. Used only in waiting slices,
/// because it writes a shared line.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Owner {
    /// Thread number plus one; 0 before the first acquisition.
    last: AtomicU32,
    run: AtomicU64,
    longest: AtomicU64,
    acquisitions: AtomicU64,
}

impl Owner {
    /// Notes an acquisition by `thread`; `counts` says whether it belongs to the timed stretch.
    #[inline]
    pub(super) fn acquired(&self, thread: u32, counts: bool) {
        let run = if !counts {
            0
        } else if self.last.load(Relaxed) == thread + 1 {
            self.run.load(Relaxed) + 1
        } else {
            self.last.store(thread + 1, Relaxed);
            1
        };
        self.run.store(run, Relaxed);
        // A separate load and store: two simultaneous holders lose one, so the sum shows it.
        let acquisitions = self.acquisitions.load(Relaxed) + 1;
        self.acquisitions.store(acquisitions, Relaxed);
        if run > self.longest.load(Relaxed) {
            self.longest.store(run, Relaxed);
        }
    }

    /// Returns the number of acquisitions noted, which is too low if two threads held the lock at once.
    pub(super) fn acquisitions(&self) -> u64 {
        self.acquisitions.load(Relaxed)
    }

    /// Returns the most consecutive acquisitions by one thread.
    pub(super) fn longest(&self) -> u64 {
        self.longest.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_the_lead_in_is_checked_but_not_reported() {
        let owner = Owner::default();
        (0..1000).for_each(|_| owner.acquired(0, false));
        assert_eq!((owner.longest(), owner.acquisitions()), (0, 1000));
        // The same thread continues: its run begins with the timed stretch.
        (0..3).for_each(|_| owner.acquired(0, true));
        (0..2).for_each(|_| owner.acquired(1, true));
        assert_eq!((owner.longest(), owner.acquisitions()), (3, 1005));
    }
}
