//! Which waits are too long, and how much is copied.

use locktoll_recording::layout::{EventKind, EventWords, LockKind};

/// Which waits are too long, and how much is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// Waits that last longer than this, nanoseconds.
    pub longer_than_ns: u64,
    /// How much is copied before the beginning of such a wait and after its end, nanoseconds.
    pub around_ns: u64,
    /// The room for copies, bytes.
    pub room_bytes: u64,
}

/// A wait that was too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongWait {
    /// Its beginning, `CLOCK_MONOTONIC`.
    pub begin_ns: u64,
    /// Its end.
    pub end_ns: u64,
    /// Whether it was certainly for a lock. Threads also sleep at futex words for other reasons, and the events do not show the reason.
    pub is_certain: bool,
}

impl Trigger {
    /// Returns the wait that `event` is, if it was too long.
    ///
    /// A wait for a condition or at a barrier is not a wait for a lock. A wait at a semaphore is one if a holder of the semaphore has been
    /// seen, as `is_held` says.
    pub fn long_wait(&self, event: &EventWords, is_held: bool) -> Option<LongWait> {
        let [begin_ns, _, end_ns, _] = event.0;
        let is_certain = match event.lock_kind()? {
            LockKind::Mutex | LockKind::RwLock | LockKind::Spin => true,
            LockKind::Semaphore if is_held => true,
            LockKind::Futex => false,
            _ => return None,
        };
        let is_long = end_ns.saturating_sub(begin_ns) > self.longer_than_ns;
        (event.kind() == Some(EventKind::Wait) && is_long).then_some(LongWait {
            begin_ns,
            end_ns,
            is_certain,
        })
    }

    /// Returns the part of the room that is kept for waits that are certainly for a lock.
    pub fn kept_back(&self, is_certain: bool) -> u64 {
        match is_certain {
            true => 0,
            false => self.room_bytes / 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_waits_for_locks_are_those_that_count() {
        let trigger = Trigger {
            longer_than_ns: 50,
            around_ns: 1,
            room_bytes: 1,
        };
        let long = |kind, lock_kind, end_ns| {
            let event = EventWords::new(kind, (lock_kind, 64, 0), 0, [1_000, end_ns], 0);
            trigger.long_wait(&event, false).is_some()
        };
        assert!(long(EventKind::Wait, LockKind::Mutex, 1_051));
        assert!(!long(EventKind::Wait, LockKind::Mutex, 1_050));
        assert!(!long(EventKind::Wait, LockKind::Condvar, 9_000));
        assert!(!long(EventKind::Hold, LockKind::Mutex, 9_000));
        assert!(!long(EventKind::Wait, LockKind::Mutex, 1));
    }

    #[test]
    fn a_semaphore_is_a_lock_once_a_holder_was_seen_and_a_futex_word_may_be_one() {
        let trigger = Trigger {
            longer_than_ns: 50,
            around_ns: 1,
            room_bytes: 100,
        };
        let certain = |kind, is_held| {
            let event = EventWords::new(EventKind::Wait, (kind, 64, 0), 0, [1_000, 2_000], 0);
            let wait = trigger.long_wait(&event, is_held)?;
            Some(wait.is_certain)
        };
        assert_eq!(certain(LockKind::Semaphore, false), None);
        assert_eq!(certain(LockKind::Semaphore, true), Some(true));
        assert_eq!(certain(LockKind::Futex, false), Some(false));
        // The holder was one of a semaphore that was there before.
        assert_eq!(certain(LockKind::Futex, true), Some(false));
        assert_eq!(certain(LockKind::Mutex, false), Some(true));
        assert_eq!((trigger.kept_back(true), trigger.kept_back(false)), (0, 50));
    }
}
