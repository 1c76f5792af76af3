//! Lives of threads.

use std::string::String;

use crate::layout::EntryPoint;

/// A thread's life.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Thread {
    /// Thread id, gettid(2).
    pub tid: u32,
    /// The slot of its counts. Threads that lived one after another may share a slot.
    pub slot: u32,
    /// The thread's name, the last one seen. It may contain any characters; bytes that are not UTF-8 are replaced.
    pub name: String,
    /// When the recorder first saw it, `CLOCK_MONOTONIC`.
    pub start_ns: u64,
    /// When it ended; `None` if it was alive at the end of the recording.
    pub end_ns: Option<u64>,
    /// The wait in which it was at the end of the recording, if it was waiting for a lock.
    pub waiting: Option<Waiting>,
    /// The function it was started with, as an index into [`Part::sites`](super::Part::sites); `None` if not known. The site is a
    /// function's address, not a return address.
    pub start_routine: Option<usize>,
    /// The kernel's data about it; `None` if the kernel was not asked in time.
    pub kernel: Option<KernelFigures>,
    /// Time waited for locks.
    pub lock_wait_ns: u64,
    /// Time waited for signals.
    pub signal_wait_ns: u64,
    /// Where its list of held locks lies in the memory of the process; `None` before minor version 4 of the format.
    pub held_at: Option<u64>,
    /// Calls of sched_yield(2); not counted before minor version 2 of the format.
    pub yields: u64,
}

/// The kernel's data about a thread at the time when it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelFigures {
    /// When it was asked, `CLOCK_MONOTONIC`.
    pub read_ns: u64,
    /// Processor time used.
    pub cpu_ns: u64,
    /// Time spent runnable, waiting for a processor.
    pub run_delay_ns: u64,
    /// Context switches because it waited for something.
    pub voluntary_switches: u64,
    /// Context switches because others came first.
    pub involuntary_switches: u64,
}

/// A wait that had not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// When it began, `CLOCK_MONOTONIC`.
    pub since_ns: u64,
    /// The lock's address.
    pub lock_address: u64,
    /// Index into [`Part::sites`](super::Part::sites).
    pub site: Option<usize>,
    /// The function in which it waits; `None` before minor version 2 of the format, and for a word of a newer version.
    pub entry: Option<EntryPoint>,
    /// The thread id of the lock's holder when the wait began, and the site where that thread had acquired it, as `site`; `None`
    /// if it was not seen.
    pub holder: Option<(u32, Option<usize>)>,
}
