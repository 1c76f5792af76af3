//! Records of locks that were acquired while others were held.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use super::CountRecord;
use super::record::records;

/// How many of the locks held at an acquisition are kept: those acquired last.
pub const HELD_KEPT: usize = 8;

/// How many of the threads that used one slot are kept in a record by their ids.
pub const THREADS_KEPT: usize = 4;

/// An event while a thread held other locks: most often an acquisition. One record represents all events of one thread slot with
/// the same place, the same lock, and the same held locks. Begins like [`CountRecord`](super::CountRecord); `lock` is zero for an
/// event that concerns no further lock. Since minor version 4.
///
/// If there are too many different locks, a record is *pooled*, as counts are: the locks in it are then known by their births
/// alone.
#[repr(C)]
pub struct OrderRecord {
    /// The lock that was acquired, [`POOLED`](super::POOLED), or zero.
    pub lock: AtomicU64,
    /// How often.
    pub times: AtomicU64,
    /// The call.
    pub site: AtomicU32,
    /// As in [`CountRecord`](super::CountRecord).
    pub generation: AtomicU32,
    /// As in [`CountRecord`](super::CountRecord).
    pub birth: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint).
    pub entry: AtomicU8,
    /// [`OrderEvent`](super::OrderEvent).
    pub event: AtomicU8,
    /// Bits of [`order_flags`].
    pub flags: AtomicU8,
    /// [`StackRecord::id`](super::StackRecord::id) of the call the first time, or zero.
    pub stack: AtomicU32,
    /// For the writer only: a number made of the held locks.
    pub chain: AtomicU32,
    /// How many locks were held, whether or not they are kept here.
    pub held_locks: AtomicU32,
    /// How many threads with this slot made the event, each counted again if others did in between.
    pub threads: AtomicU32,
    /// The ids of the first of these threads.
    pub tids: [AtomicU32; THREADS_KEPT],
    /// The held locks that were acquired last, in the order of their acquisition. Unused entries are zero.
    pub held: [HeldRecord; HELD_KEPT],
}

/// A lock that was held, and where it had been acquired.
#[repr(C)]
pub struct HeldRecord {
    /// The lock, or [`POOLED`](super::POOLED).
    pub lock: AtomicU64,
    /// The call that had acquired it.
    pub site: AtomicU32,
    /// As in [`CountRecord`](super::CountRecord).
    pub generation: AtomicU32,
    /// As in [`CountRecord`](super::CountRecord).
    pub birth: AtomicU32,
    /// The stack of that call: [`StackRecord::id`](super::StackRecord::id), or zero if it was not kept.
    pub stack: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint).
    pub entry: AtomicU8,
    /// Bits of [`order_flags`]: how its address compares with the acquired lock's, in all events that the record represents.
    pub flags: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 5],
}

/// Bits of [`OrderRecord::flags`] and [`HeldRecord::flags`].
pub mod order_flags {
    /// The lock that was acquired is a reader-writer lock that prefers writers:
    /// `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP`, pthread_rwlockattr_setkind_np(3). Then a reader waits while a writer does.
    pub const PREFERS_WRITERS: u8 = 1;
    /// The acquired lock lay at a higher address than this held lock.
    pub const UPWARDS: u8 = 2;
    /// The acquired lock lay at a lower address than this held lock.
    pub const DOWNWARDS: u8 = 4;
}

records! {
    OrderRecord is Order, 320 bytes;
}

const _: () = {
    assert!(offset_of!(OrderRecord, lock) == offset_of!(CountRecord, lock));
    assert!(offset_of!(OrderRecord, site) == offset_of!(CountRecord, site));
    assert!(offset_of!(OrderRecord, generation) == offset_of!(CountRecord, generation));
    assert!(offset_of!(OrderRecord, birth) == offset_of!(CountRecord, birth));
    assert!(offset_of!(OrderRecord, kind) == offset_of!(CountRecord, kind));
    assert!(offset_of!(OrderRecord, entry) == offset_of!(CountRecord, entry));
    assert!(offset_of!(OrderRecord, held) == 64 && size_of::<HeldRecord>() == 32);
};
