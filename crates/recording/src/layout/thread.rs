//! The record of a thread's life.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use super::record::records;

/// The greatest length of a thread's name, including the terminating zero: prctl(2), `PR_SET_NAME`.
pub const THREAD_NAME_BYTES: usize = 16;

/// A thread's life. A thread slot serves one thread after another, so the counts of a slot may belong to several threads.
///
/// The kernel's data about a thread (`cpu_ns` to `involuntary_switches`) is written when the thread ends or, for all living
/// threads, when the process runs its exit handlers. Until then it is zero: see `kernel_read_ns`.
#[repr(C)]
pub struct ThreadRecord {
    /// Thread id, gettid(2).
    pub tid: AtomicU32,
    /// The thread slot it used: [`SegmentHeader::owner`](super::SegmentHeader::owner).
    pub slot: AtomicU32,
    /// When the recorder first saw the thread: its start, if it was started by `pthread_create` or `thrd_create`.
    pub start_ns: AtomicU64,
    /// When the thread gave back its slot, or zero while it runs.
    pub end_ns: AtomicU64,
    /// When the thread's present wait began, or zero.
    pub waiting_since_ns: AtomicU64,
    /// The lock it waits for, while `waiting_since_ns` is not zero.
    pub waiting_lock: AtomicU64,
    /// The site it waits at, while `waiting_since_ns` is not zero.
    pub waiting_site: AtomicU32,
    /// [`SiteRecord::id`](super::SiteRecord::id) of the function it was started with, or zero.
    pub start_routine: AtomicU32,
    /// The thread's name, the last one seen, ended by a zero byte.
    pub name: [AtomicU8; THREAD_NAME_BYTES],
    /// When `cpu_ns` to `involuntary_switches` were read, or zero if they never were.
    pub kernel_read_ns: AtomicU64,
    /// Processor time used: `CLOCK_THREAD_CPUTIME_ID`, clock_gettime(2).
    pub cpu_ns: AtomicU64,
    /// Time spent runnable and waiting for a processor: the second figure of `/proc/PID/task/TID/schedstat`. Zero for threads
    /// that ended after less than 10 ms, for which it is not read.
    pub run_delay_ns: AtomicU64,
    /// Context switches because the thread waited for something: getrusage(2).
    pub voluntary_switches: AtomicU64,
    /// Context switches because its time slice was over or another thread came first: getrusage(2).
    pub involuntary_switches: AtomicU64,
    /// Time waited for locks, updated at every wait.
    pub lock_wait_ns: AtomicU64,
    /// Time waited for signals: condition variables, barriers, semaphores that nobody held, futex words.
    pub signal_wait_ns: AtomicU64,
    /// Calls of sched_yield(2), which count among the involuntary context switches. Zero before minor version 2, which did not count them.
    pub yields: AtomicU64,
    /// The site at which the lock's holder had acquired it when the thread's present wait began, or zero if that was not looked
    /// for, or not found. Since minor version 2.
    pub waiting_holder_site: AtomicU32,
    /// That holder's thread id, or zero.
    pub waiting_holder: AtomicU32,
    /// [`EntryPoint`](super::EntryPoint) of the thread's present wait. Since minor version 2.
    pub waiting_entry: AtomicU32,
    /// Zero.
    pub reserved: AtomicU32,
    /// The address in the process of the thread's list of held locks: [`HeldList`]. Since minor version 4.
    pub held_list: AtomicU64,
}

/// The beginning of a thread's list of held locks in the memory of the process, where a watcher reads it. A process pays nothing for
/// being watched.
#[repr(C)]
pub struct HeldList {
    /// The number of locks held; of those, the first [`HELD_LISTED`] are in the list.
    pub depth: AtomicU32,
    /// The thread id of the owner, or zero.
    pub owner: AtomicU32,
    /// For each lock, the oldest first: the address of the [`CountRecord`](super::CountRecord) of its acquisition, and a time.
    pub entries: [[AtomicU64; 2]; HELD_LISTED],
}

/// The number of held locks that a list has.
pub const HELD_LISTED: usize = 64;

records! {
    ThreadRecord is Thread, 152 bytes;
}

const _: () = {
    assert!(offset_of!(ThreadRecord, name) == 48);
    assert!(offset_of!(ThreadRecord, kernel_read_ns) == 64);
};
