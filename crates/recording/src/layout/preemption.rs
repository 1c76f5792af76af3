//! The kernel's data about threads that held locks while they did not run. Added after the run.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use super::CountRecord;
use super::record::records;
use crate::histogram;

/// Times that a thread which held a lock did not run, for one reason. Begins like [`CountRecord`](super::CountRecord).
#[repr(C)]
pub struct PreemptionRecord {
    /// The lock that was held, as in [`CountRecord`](super::CountRecord).
    pub lock: AtomicU64,
    /// The number of times.
    pub count: AtomicU64,
    /// Where the holder had acquired it.
    pub site: AtomicU32,
    /// As in [`CountRecord`](super::CountRecord).
    pub generation: AtomicU32,
    /// As in [`CountRecord`](super::CountRecord).
    pub birth: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint) of the acquisition.
    pub entry: AtomicU8,
    /// [`OffCpu`](super::OffCpu): the reason.
    pub why: AtomicU8,
    /// Zero.
    pub reserved: AtomicU8,
    /// The total time.
    pub total_ns: AtomicU64,
    /// The longest time.
    pub max_ns: AtomicU64,
    /// Times by their length; the buckets are those of [`histogram`].
    pub histogram: [AtomicU64; histogram::BUCKETS],
}

/// Waiting of one thread at one site for a lock while a holder of that lock was preempted. Begins like
/// [`CountRecord`](super::CountRecord).
#[repr(C)]
pub struct PreemptedWaitRecord {
    /// The lock, as in [`CountRecord`](super::CountRecord).
    pub lock: AtomicU64,
    /// How many times the thread was seen to wait meanwhile.
    pub count: AtomicU64,
    /// Where it waited.
    pub site: AtomicU32,
    /// As in [`CountRecord`](super::CountRecord).
    pub generation: AtomicU32,
    /// As in [`CountRecord`](super::CountRecord).
    pub birth: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint) of the holder: that of the waiter is not seen.
    pub entry: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 2],
    /// The waiting thread, by its id in its process.
    pub tid: AtomicU32,
    /// Zero.
    pub reserved_half: AtomicU32,
    /// The total time.
    pub wait_ns: AtomicU64,
    /// The longest time.
    pub max_ns: AtomicU64,
}

/// Says that preempted holders were watched for in this process, and what was missed. Without this record, they were not watched
/// for. If there is no preemption record next to it, no holder was preempted.
#[repr(C)]
pub struct WatchRecord {
    /// [`WatchedBy`](super::WatchedBy): how, never zero.
    pub by: AtomicU32,
    /// Zero.
    pub reserved: AtomicU32,
    /// Threads that reported where their list of locks is.
    pub threads: AtomicU64,
    /// The following figures are for the whole run, and are only in its first part. Times that a holder did not run for which
    /// there was no room.
    pub unkept: AtomicU64,
    /// Waiting meanwhile for which there was no room.
    pub waits_unkept: AtomicU64,
    /// Times that a thread's list could not be read, because its memory was not present.
    pub unread: AtomicU64,
    /// Locks beyond the first few that a thread held at once.
    pub too_many_held: AtomicU64,
    /// Threads that could not report where their list is.
    pub unregistered: AtomicU64,
    /// Times that a thread came back to a processor without being seen. The moment follows from the time that it had run since.
    pub unseen: AtomicU64,
}

records! {
    PreemptionRecord is Preemption, 368 bytes;
    PreemptedWaitRecord is PreemptedWait, 56 bytes;
    WatchRecord is Watch, 64 bytes;
}

macro_rules! begin_as_counts {
    ($($record:ident)*) => {
        $(const _: () = {
            assert!(offset_of!($record, lock) == offset_of!(CountRecord, lock));
            assert!(offset_of!($record, site) == offset_of!(CountRecord, site));
            assert!(offset_of!($record, generation) == offset_of!(CountRecord, generation));
            assert!(offset_of!($record, birth) == offset_of!(CountRecord, birth));
            assert!(offset_of!($record, kind) == offset_of!(CountRecord, kind));
            assert!(offset_of!($record, entry) == offset_of!(CountRecord, entry));
        };)*
    };
}

begin_as_counts!(PreemptionRecord PreemptedWaitRecord);
