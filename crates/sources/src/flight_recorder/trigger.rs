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

impl Trigger {
    /// Returns the beginning and the end of the wait that `event` is, if it was too long. A wait for a condition or at a barrier is
    /// no contention.
    pub fn long_wait(&self, event: &EventWords) -> Option<(u64, u64)> {
        let [begin_ns, _, end_ns, _] = event.0;
        let is_signal = matches!(
            event.lock_kind(),
            None | Some(LockKind::Condvar | LockKind::Barrier)
        );
        let is_long = end_ns.saturating_sub(begin_ns) > self.longer_than_ns;
        (event.kind() == Some(EventKind::Wait) && !is_signal && is_long)
            .then_some((begin_ns, end_ns))
    }
}

/// Returns when an event was written, `CLOCK_MONOTONIC`, if it says so.
pub fn written_ns(event: &EventWords) -> Option<u64> {
    let [begin_ns, _, end_ns, _] = event.0;
    match event.kind()? {
        EventKind::Wait | EventKind::Hold | EventKind::Block => Some(end_ns),
        EventKind::Signal | EventKind::Release | EventKind::Clock => Some(begin_ns),
        // The processor's counter, or no time at all.
        _ => None,
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
            trigger.long_wait(&event).is_some()
        };
        assert!(long(EventKind::Wait, LockKind::Mutex, 1_051));
        assert!(!long(EventKind::Wait, LockKind::Mutex, 1_050));
        assert!(!long(EventKind::Wait, LockKind::Condvar, 9_000));
        assert!(!long(EventKind::Hold, LockKind::Mutex, 9_000));
        assert!(!long(EventKind::Wait, LockKind::Mutex, 1));
    }
}
