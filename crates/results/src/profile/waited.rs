//! Sums over waits, including those that had not ended.

use super::{Lock, Profile, Use};

impl Lock {
    /// Time waited for it, including waits that had not ended, nanoseconds. Zero for objects that are used for events.
    pub fn waited_ns(&self) -> u64 {
        match self.used_as {
            Use::Lock => self.wait_ns.total.saturating_add(self.still_waiting_ns),
            Use::Signal => 0,
        }
    }
}

impl Profile {
    /// Threads that were still waiting for locks, or for events, and how long they had waited, nanoseconds.
    pub fn still_waiting(&self, used_as: Use) -> (u64, u64) {
        let locks = self.locks.iter().filter(|lock| lock.used_as == used_as);
        locks.fold((0, 0), |(threads, ns), lock| {
            (
                threads.saturating_add(lock.still_waiting),
                ns.saturating_add(lock.still_waiting_ns),
            )
        })
    }
}
