//! Records about one lock at one call site, written by one thread slot.
//!
//! All of them begin with the same fields in the same places, so one kind of table can find them all:
//!
//! | bytes | field | |
//! |---|---|---|
//! | 0-7 | `lock` | the address of the lock, never zero |
//! | 8-15 | the first counter | |
//! | 16-19 | `site` | [`SiteRecord::id`](super::SiteRecord::id) of the call, or zero if no site could be kept |
//! | 20-23 | `generation` | distinguishes locks that live at one address one after another |
//! | 24-27 | `birth` | [`BirthRecord::id`](super::BirthRecord::id), or zero if not known |
//! | 28 | `kind` | [`LockKind`](super::LockKind) |
//! | 29 | `entry` | [`EntryPoint`](super::EntryPoint) |
//!
//! A record may be *pooled*: it then represents many locks of one birth. Holds are pooled if there are too many locks to
//! give each a record of its own. Other counts are added to a pooled record when a lock has gone and another has come to its
//! address, so that a program which makes and destroys locks for hours does not fill the disk. The `lock` of a pooled record
//! is [`POOLED`], and its `generation` is the birth.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use super::calls::CALLS_KEPT;
use super::record::records;
use crate::histogram;

/// The `lock` of a record that represents many locks of one birth.
pub const POOLED: u64 = 1;

/// Acquisitions of one lock at one call site by one thread slot. Half a cache line, never across two.
///
/// What is counted depends on the entry point: see [`EntryPoint`](super::EntryPoint). Most count acquisitions.
#[repr(C)]
pub struct CountRecord {
    /// The address of the lock, never zero.
    pub lock: AtomicU64,
    /// Acquisitions, contended or not.
    pub acquisitions: AtomicU64,
    /// The call, or zero if no site could be kept.
    pub site: AtomicU32,
    /// Distinguishes locks at this address; zero where they are not distinguished.
    pub generation: AtomicU32,
    /// Where the lock came from, or zero.
    pub birth: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint).
    pub entry: AtomicU8,
    /// For the writer only: the number of acquisitions before the next hold is timed.
    pub until_timed: AtomicU16,
}

/// The waits that go with the [`CountRecord`] of the same thread slot, lock, generation, site and entry point.
#[repr(C)]
pub struct ContentionRecord {
    /// As in [`CountRecord`].
    pub lock: AtomicU64,
    /// Acquisitions that did not succeed at once and were waited for.
    pub contended: AtomicU64,
    /// As in [`CountRecord`].
    pub site: AtomicU32,
    /// As in [`CountRecord`].
    pub generation: AtomicU32,
    /// As in [`CountRecord`].
    pub birth: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint).
    pub entry: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 2],
    /// The total time of all waits, including those that were given up.
    pub wait_total_ns: AtomicU64,
    /// The longest wait.
    pub wait_max_ns: AtomicU64,
    /// Attempts (`trylock`) that found the lock taken.
    pub try_failed: AtomicU64,
    /// Waits that ended at their deadline, without the lock.
    pub timed_out: AtomicU64,
    /// The part of `wait_total_ns` from the last release of the lock that was seen to the end of the wait. The lock was free, and
    /// the thread had been woken and did not run yet. If there are very many waits, it is estimated from some of them.
    pub runnable_ns: AtomicU64,
    /// For a wait for a condition: the time from the last signal to the return, in which the thread woke up and acquired the
    /// mutex again. Zero for all other entry points.
    pub relock_ns: AtomicU64,
    /// How many of the waits were examined for the following figures. The others were not, since asking the kernel costs more
    /// than many waits.
    pub examined: AtomicU64,
    /// The total length of the examined waits.
    pub examined_ns: AtomicU64,
    /// Processor time used in the examined waits: spinning, and the system calls themselves.
    pub examined_cpu_ns: AtomicU64,
    /// Voluntary context switches in the examined waits: the thread was blocked.
    pub voluntary_switches: AtomicU64,
    /// Involuntary context switches in the examined waits: the thread lost its processor.
    pub involuntary_switches: AtomicU64,
    /// Zero. Room for later minor versions.
    pub reserved_words: [AtomicU64; 1],
    /// Waits by their length; the buckets are those of [`histogram`].
    pub wait_histogram: [AtomicU64; histogram::BUCKETS],
}

/// How long a lock acquired at a site was held: until its release, or until a wait for a condition gave it up.
///
/// Not every hold is timed. A timed hold represents a number of holds: the increase of `estimated_total_ns` divided by its
/// length. Which holds are timed depends only on chance and on earlier holds, so the estimate has no bias.
#[repr(C)]
pub struct HoldRecord {
    /// As in [`CountRecord`], or [`POOLED`].
    pub lock: AtomicU64,
    /// How many holds were timed.
    pub timed: AtomicU64,
    /// As in [`CountRecord`].
    pub site: AtomicU32,
    /// As in [`CountRecord`].
    pub generation: AtomicU32,
    /// As in [`CountRecord`].
    pub birth: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint).
    pub entry: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 2],
    /// The total length of the timed holds.
    pub timed_total_ns: AtomicU64,
    /// The total length of all holds, estimated from the timed ones.
    pub estimated_total_ns: AtomicU64,
    /// The longest timed hold.
    pub max_ns: AtomicU64,
    /// For the writer only: the number of acquisitions that the next timed hold represents.
    pub period: AtomicU64,
    /// How many of the timed holds were examined for context switches.
    pub examined: AtomicU64,
    /// Examined holds in which the thread blocked at least once.
    pub blocked: AtomicU64,
    /// Voluntary context switches in the examined holds.
    pub voluntary_switches: AtomicU64,
    /// Involuntary context switches in the examined holds: the holder was preempted.
    pub involuntary_switches: AtomicU64,
    /// System calls that may block, entered through the C library while the lock was held. In all holds, not only in timed ones.
    pub system_calls: AtomicU64,
    /// For examined holds in which the thread was preempted and never blocked: time in which it had no processor.
    pub off_cpu_ns: AtomicU64,
    /// How many of all holds, estimated from the timed ones, seem to have been interrupted, where holds are too short to be
    /// examined: they took many times as long as the others, and made no system call that may block.
    pub gaps: AtomicU64,
    /// The total length of those, estimated in the same way.
    pub gap_ns: AtomicU64,
    /// Timed holds by their length; the buckets are those of [`histogram`].
    pub hold_histogram: [AtomicU64; histogram::BUCKETS],
    /// The first functions that were called during holds and returned, among those that `system_calls` counts: the number of calls,
    /// and above [`CALL_COUNT_BITS`](super::CALL_COUNT_BITS) the number of the function. Since minor version 5.
    pub calls: [AtomicU64; CALLS_KEPT],
    /// The time in those calls.
    pub call_ns: [AtomicU64; CALLS_KEPT],
}

/// Waiting at one site, charged to the site where the holder had acquired the lock.
#[repr(C)]
pub struct BlameRecord {
    /// As in [`CountRecord`].
    pub lock: AtomicU64,
    /// Waits in which this holder had the largest share.
    pub waits: AtomicU64,
    /// The place that waited.
    pub site: AtomicU32,
    /// As in [`CountRecord`].
    pub generation: AtomicU32,
    /// As in [`CountRecord`].
    pub birth: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint) of the waiter.
    pub entry: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 2],
    /// [`SiteRecord::id`](super::SiteRecord::id) where the holder had acquired the lock, or zero if not known.
    pub holder_site: AtomicU32,
    /// The innermost calls through which it had acquired the lock: [`StackRecord::id`](super::StackRecord::id), or zero if not
    /// known. Only some holds are examined. Charges to the same site that have a stack also represent those that have none.
    pub holder_stack: AtomicU32,
    /// Time waited because of this holder. Over all holders, it adds up to [`ContentionRecord::wait_total_ns`].
    pub wait_ns: AtomicU64,
}

/// Waiting at one site, by the stack of calls that led there. If there are very many waits, only some are examined, and each of
/// those counts for several.
#[repr(C)]
pub struct StackWaitRecord {
    /// As in [`CountRecord`].
    pub lock: AtomicU64,
    /// Waits with this stack.
    pub waits: AtomicU64,
    /// The innermost call.
    pub site: AtomicU32,
    /// As in [`CountRecord`].
    pub generation: AtomicU32,
    /// As in [`CountRecord`].
    pub birth: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint).
    pub entry: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 2],
    /// [`StackRecord::id`](super::StackRecord::id), or zero if no stack could be kept.
    pub stack: AtomicU32,
    /// Zero.
    pub reserved_half: AtomicU32,
    /// Time waited with this stack.
    pub wait_ns: AtomicU64,
}

records! {
    CountRecord is Count, 32 bytes;
    ContentionRecord is Contention, 448 bytes;
    HoldRecord is Hold, 512 bytes;
    BlameRecord is Blame, 48 bytes;
    StackWaitRecord is StackWait, 48 bytes;
}

/// One table can serve all of them because they begin with the same fields.
macro_rules! begin_alike {
    ($($record:ident)*) => {
        $(const _: () = {
            assert!(offset_of!($record, lock) == 0);
            assert!(offset_of!($record, site) == 16);
            assert!(offset_of!($record, generation) == 20);
            assert!(offset_of!($record, birth) == 24);
            assert!(offset_of!($record, kind) == 28);
            assert!(offset_of!($record, entry) == 29);
        };)*
    };
}

begin_alike!(CountRecord ContentionRecord HoldRecord BlameRecord StackWaitRecord);

const _: () = {
    assert!(offset_of!(ContentionRecord, wait_histogram) == 128);
    assert!(offset_of!(HoldRecord, hold_histogram) == 128);
};
