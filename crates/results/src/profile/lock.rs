//! One lock, or all locks that came from one place.

use serde::{Deserialize, Serialize};

use super::anchor::Anchor;
use super::frame::Frame;
use super::holds::{Blame, HoldTimes, WhileHeld};
use super::preemption::HolderPreemption;
use super::waits::{
    FutexCalls, SignalWaits, StackWaits, StillWaiting, WaitSplit, WaitTimes, WokenBy,
};

/// One lock, or all locks that came from one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Lock {
    /// An id that is the same in every run of the same program.
    pub id: String,
    /// Its kind.
    pub kind: LockKind,
    /// Its use. Waits for events are in `signal`, and `contended` and `wait_ns` are then zero.
    pub used_as: Use,
    /// A name for people: the variable's name, or where the lock was initialised or first acquired.
    pub name: String,
    /// The first place that acquired it, innermost frame first.
    pub first_site: Vec<Frame>,
    /// The call stack that initialised it or acquired it first, innermost frame first; empty if not known.
    pub birth: Vec<Frame>,
    /// Whether `birth` is where it was initialised, not only where it was first acquired.
    pub initialised: bool,
    /// The number of locks in this row.
    pub instances: u64,
    /// Times it was acquired, contended or not; `null` for futex words, whose acquisitions without a wait are not seen, and
    /// for objects that are used for events.
    pub acquisitions: Option<u64>,
    /// Of those, shared with other readers; `null` if the lock has no readers.
    pub read_acquisitions: Option<u64>,
    /// The threads that acquired it; left out if they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takers: Option<Takers>,
    /// Acquisitions that had to wait.
    pub contended: u64,
    /// Attempts (`trylock`) that found it taken; `null` if not seen.
    pub try_failed: Option<u64>,
    /// Waits that ended at their deadline, without the lock.
    pub timed_out: u64,
    /// Threads that were still waiting for it when recording ended.
    pub still_waiting: u64,
    /// How long those had waited by then, added up, nanoseconds. Not included in `wait_ns`, `sites` and `stacks`, which are about
    /// waits that ended, nor in the `blame` of a recording. It is included in the `blame` of `attach` and `top`, since their
    /// waits go on. For a killed process among others, it is known up to its last record.
    pub still_waiting_ns: u64,
    /// The longest of those waits; `null` if there was none.
    pub longest_still_waiting: Option<StillWaiting>,
    /// All of those waits, the longest first, at most [`STILL_WAITING`] of them; left out if there was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub still_waiting_threads: Vec<StillWaiting>,
    /// The waits of acquisitions.
    pub wait_ns: WaitTimes,
    /// The parts of the waiting; `null` if no thread waited.
    pub wait_split: Option<WaitSplit>,
    /// How long it was held; `null` if not measured.
    pub hold_ns: Option<HoldTimes>,
    /// Whether the mean hold is shorter than what recording adds to an acquisition and release, so that `hold_ns`
    /// describes the recorder rather than the program.
    pub recorder_dominates: bool,
    /// Events while it was held; `null` if not measured.
    pub while_held: Option<WhileHeld>,
    /// How often and how long holders were preempted; `null` if that is not known.
    #[serde(default)]
    pub preemption: Option<HolderPreemption>,
    /// Waits for events, if it is used for them.
    pub signal: Option<SignalWaits>,
    /// Where it was acquired, by waiting time, largest first.
    pub sites: Vec<Site>,
    /// Waits by the stack that led to them, by waiting time, largest first.
    pub stacks: Vec<StackWaits>,
    /// The single locks of a row with several, the most expensive first, at most [`MEMBERS`] of them.
    pub members: Vec<Member>,
    /// The waits of each place, with the holder that caused them, largest first.
    pub blame: Vec<Blame>,
    /// The places that ended the waits of each place, by waiting time, largest first; left out if they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub woken_by: Vec<WokenBy>,
    /// The system calls for waiting and waking; left out if they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub futex: Option<FutexCalls>,
    /// How its locks can be found again in another run, as long as the program's files stay the same. Not in any document, since
    /// only `id` survives a change of the program.
    #[serde(skip)]
    pub anchors: Vec<Anchor>,
    /// Words in its locks for which threads were seen to wait busily, as process and address. Not in any document: `spinning` names the
    /// lock.
    #[serde(skip)]
    pub spun_words: Vec<(u32, u64)>,
    /// Such words next to its locks, as process, address and distance from the lock's first byte: probably another part of the same
    /// object. Not in any document: `spinning` names them.
    #[serde(skip)]
    pub near_words: Vec<(u32, u64, i64)>,
}

/// Threads that acquired a lock. If another thread made the previous acquisition, the lock's memory is fetched from that thread's
/// processor, whether or not another thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Takers {
    /// Their number.
    pub threads: u64,
    /// The acquisitions of the most active thread.
    pub most: u64,
}

impl Takers {
    /// Returns how many of this many acquisitions can have followed another thread's acquisition, at most. An acquisition by one
    /// of the less active threads is one of these, and is followed by at most one acquisition of the most active thread.
    #[must_use]
    pub fn changes_at_most(self, acquisitions: u64) -> u64 {
        let others = acquisitions.saturating_sub(self.most);
        others.saturating_mul(2).min(acquisitions.saturating_sub(1))
    }
}

/// The kind of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LockKind {
    /// `pthread_mutex_t`, and locks that are built on it.
    Mutex,
    /// `pthread_rwlock_t`.
    RwLock,
    /// `pthread_spinlock_t`.
    Spin,
    /// `sem_t`.
    Semaphore,
    /// `pthread_cond_t`.
    Condvar,
    /// `pthread_barrier_t`.
    Barrier,
    /// A bare futex word.
    Futex,
}

/// The use of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Use {
    /// Threads exclude each other with it: waiting for it is contention.
    Lock,
    /// Threads notify each other with it: waiting for it is not contention. Condition variables, barriers, semaphores that are
    /// mostly posted by threads that do not hold them, futex words of condition variables and parked threads.
    Signal,
}

/// How many single locks of a row are listed.
pub const MEMBERS: usize = 20;
/// How many unfinished waits a row lists at most.
pub const STILL_WAITING: usize = 200;

/// One lock of a row with several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Member {
    /// Process id.
    pub pid: u32,
    /// Its address in that process.
    pub address: u64,
    /// The number of the lock among those at that address.
    pub generation: u32,
    /// Its offset in its variable, if it is in one.
    pub offset: Option<u64>,
    /// As in [`Lock`].
    pub acquisitions: Option<u64>,
    /// As in [`Lock`]; for a signal, calls that had to wait.
    pub contended: u64,
    /// Time waited for it, nanoseconds.
    pub wait_ns: u64,
    /// How long it was held, estimated, nanoseconds; `null` if not measured for it alone.
    pub hold_ns: Option<u64>,
}

/// A place that acquires a lock, or waits for an event.
///
/// If the lock function is called in a library (Rust's standard library, C++'s without optimization), the waits there
/// are listed by the program's own calls that led to them, and the frames reach out to those. The callers of
/// acquisitions without a wait are not known: all acquisitions are then listed under the library's call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Site {
    /// The place, innermost frame first. Empty if it could not be kept.
    pub frames: Vec<Frame>,
    /// Acquisitions made here; for a signal, calls that returned here. `null` as in [`Lock`], and for a call that is known only
    /// by its waits.
    pub acquisitions: Option<u64>,
    /// Those of them that had to wait.
    pub contended: u64,
    /// Attempts made here that found the lock taken; `null` if not seen.
    pub try_failed: Option<u64>,
    /// Time waited here, nanoseconds.
    pub wait_ns: u64,
    /// The longest wait here, nanoseconds; `null` if no thread waited, or if it is not known for this place alone.
    pub wait_max_ns: Option<u64>,
    /// Hold time of acquisitions made here, estimated, nanoseconds; `null` if not measured.
    pub hold_ns: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_can_take_turns_as_often_as_the_others_come_between() {
        let at_most = |threads, most, all| Takers { threads, most }.changes_at_most(all);
        assert_eq!(at_most(1, 100, 100), 0);
        // One acquisition of another thread: the lock goes there and back.
        assert_eq!(at_most(2, 99, 100), 2);
        assert_eq!(at_most(2, 50, 100), 99);
        assert_eq!(at_most(4, 25, 100), 99);
        assert_eq!(at_most(1, 0, 0), 0);
    }
}
