//! Events of locks by time, in rings: the timeline.
//!
//! A thread slot writes its events into segments of its own, one after the other. When there is no room for another segment, it
//! begins again at the start of its oldest one, so the last events are always there, however the process ended.
//! [`SegmentHeader::ring`] says which events a segment has.
//!
//! An event is four words:
//!
//! | word | | |
//! |---|---|---|
//! | 0 | `time` | the beginning, or the moment |
//! | 1 | `subject` | bits 0-47: the address of the lock; 48-55: [`event_flags`]; 56-59: [`LockKind`](super::LockKind); 60-63: [`EventKind`] |
//! | 2 | `end` | the end |
//! | 3 | `place` | bits 0-31: [`SiteRecord::id`](super::SiteRecord::id), or zero; 32-63: the generation of the lock |
//!
//! Times are those of `CLOCK_MONOTONIC`, except where the kind of event says *ticks*: these are of the processor's counter.
//! [`EventKind::Clock`] and [`EventKind::Release`] have both.
//!
//! Since minor version 6.
//!
//! [`SegmentHeader::ring`]: super::SegmentHeader::ring

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use super::record::records;
use super::{EventKind, LockKind};

/// An event.
#[repr(C)]
pub struct EventRecord {
    /// The words: see the module.
    pub words: [AtomicU64; 4],
}

records! {
    EventRecord is Event, 32 bytes;
}

/// The four words of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventWords(pub [u64; 4]);

/// The bits of an address that are kept. No address of a process has more (x86-64 with four levels of page tables, Arm).
const ADDRESS: u64 = (1 << 48) - 1;

/// Bits of an event.
pub mod event_flags {
    /// Of a wait: it ended at its deadline.
    pub const TIMED_OUT: u8 = 1;
    /// Of a wait: it ended in another way, without the lock.
    pub const FAILED: u8 = 2;
    /// Of a hold: it is shared with other readers.
    pub const SHARED: u8 = 4;
    /// Of a hold: a thread waited for the lock when it was released.
    pub const AWAITED: u8 = 8;
    /// Of a signal: to all that wait.
    pub const ALL: u8 = 16;
    /// Of a time without a CPU: the thread could have continued.
    pub const PREEMPTED: u8 = 32;
}

impl EventWords {
    /// Makes an event. `site` is zero if it is not known.
    #[inline(always)]
    #[must_use]
    pub const fn new(
        kind: EventKind,
        lock: (LockKind, u64, u32),
        flags: u8,
        times: [u64; 2],
        site: u32,
    ) -> Self {
        let (lock_kind, address, generation) = lock;
        Self([
            times[0],
            (kind.number() as u64) << 60
                | (lock_kind.number() as u64) << 56
                | (flags as u64) << 48
                | (address & ADDRESS),
            times[1],
            (generation as u64) << 32 | site as u64,
        ])
    }

    /// Makes the second half of a wait. `words` are free.
    #[must_use]
    pub const fn detail(released_ns: u64, stack: u32, holder_tid: u32, holder_site: u32) -> Self {
        Self([
            released_ns,
            (EventKind::WaitDetail.number() as u64) << 60 | stack as u64,
            holder_tid as u64,
            holder_site as u64,
        ])
    }

    /// Returns the kind, if this version knows it.
    #[must_use]
    pub const fn kind(self) -> Option<EventKind> {
        EventKind::from_number((self.0[1] >> 60) as u8)
    }

    /// Returns the kind of the lock, if this version knows it.
    #[must_use]
    pub const fn lock_kind(self) -> Option<LockKind> {
        LockKind::from_number((self.0[1] >> 56) as u8 & 15)
    }

    /// Returns the bits of [`event_flags`].
    #[must_use]
    pub const fn flags(self) -> u8 {
        (self.0[1] >> 48) as u8
    }

    /// Returns the address of the lock.
    #[must_use]
    pub const fn address(self) -> u64 {
        self.0[1] & ADDRESS
    }

    /// Returns the site, or zero.
    #[must_use]
    pub const fn site(self) -> u32 {
        self.0[3] as u32
    }

    /// Returns the generation of the lock.
    #[must_use]
    pub const fn generation(self) -> u32 {
        (self.0[3] >> 32) as u32
    }

    /// Returns when the event was written, `CLOCK_MONOTONIC`, if it says so.
    #[must_use]
    pub const fn written_ns(self) -> Option<u64> {
        let [begin_ns, _, end_ns, _] = self.0;
        match self.kind() {
            Some(EventKind::Wait | EventKind::Hold | EventKind::Block) => Some(end_ns),
            Some(EventKind::Signal | EventKind::Release | EventKind::Clock) => Some(begin_ns),
            // The processor's counter, or no time at all.
            _ => None,
        }
    }

    /// Writes the event into a record.
    #[inline(always)]
    pub fn store(self, record: &EventRecord) {
        // Relaxed: the segment's count publishes them.
        for (word, value) in record.words.iter().zip(self.0) {
            word.store(value, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_what_was_put_into_it() {
        let lock = (LockKind::Futex, 0xFFFF_7FFF_1234_5678, 0x8000_0001);
        let flags = event_flags::ALL | event_flags::TIMED_OUT;
        let event = EventWords::new(EventKind::Signal, lock, flags, [7, 9], u32::MAX);
        assert_eq!(event.kind(), Some(EventKind::Signal));
        assert_eq!(event.lock_kind(), Some(LockKind::Futex));
        assert_eq!(event.address(), 0x7FFF_1234_5678);
        assert_eq!((event.generation(), event.site()), (0x8000_0001, u32::MAX));
        assert_eq!((event.flags(), event.0[0], event.0[2]), (flags, 7, 9));
        let detail = EventWords::detail(u64::MAX, u32::MAX, 3, 4);
        assert_eq!(detail.kind(), Some(EventKind::WaitDetail));
        assert_eq!(detail.0[1] as u32, u32::MAX);
        assert_eq!(EventWords::default().kind(), None, "zeros are no event");
    }
}
