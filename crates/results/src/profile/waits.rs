//! Waits for a lock or an event, and the places that ended them.

use serde::{Deserialize, Serialize};

use super::frame::Frame;
use super::holds::HolderThread;

/// Waiting times, nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WaitTimes {
    /// The total time of all waits, including those that were given up at a deadline.
    pub total: u64,
    /// The longest wait; `null` if no thread waited.
    pub max: Option<u64>,
    /// Half of the waits were no longer; accurate to a factor of two.
    pub p50: Option<f64>,
    /// 99 in 100 of the waits were no longer; accurate to a factor of two.
    pub p99: Option<f64>,
    /// Waits by their length: entry `i` counts those from 2^i up to 2^(i+1) ns. Trailing zeros are
    /// left out.
    pub log2: Vec<u64>,
}

/// The parts of waiting, nanoseconds. They add up to the total wait.
///
/// `spinning` is an estimate from the waits that were examined; `runnable` is measured at every wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WaitSplit {
    /// On a CPU: spinning, and the waiting system calls themselves; `null` if not seen.
    pub spinning_ns: Option<u64>,
    /// Blocked while another thread had the lock.
    pub blocked_ns: u64,
    /// Waiting for a CPU after the wake-up: from the last release to the end of the wait.
    pub runnable_ns: u64,
    /// Of all waits, those that were examined for `spinning` and for context switches.
    pub examined: u64,
    /// Voluntary context switches in the examined waits.
    pub voluntary_switches: u64,
    /// Involuntary context switches in the examined waits.
    pub involuntary_switches: u64,
}

/// A wait that had not ended when recording did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StillWaiting {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Where the thread waited, innermost frame first. Empty if not known.
    pub frames: Vec<Frame>,
    /// How long, nanoseconds.
    pub wait_ns: u64,
    /// The thread that held the lock when the wait began, or, if that was earlier, when `attach` or `top` started; left out if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder_thread: Option<HolderThread>,
    /// Where that thread had acquired it, innermost frame first; left out if it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holder: Vec<Frame>,
    /// The owner in the mutex's owner field, if it is not another thread of the process: then no other thread of the process will release
    /// the lock. Left out otherwise, and if it is not known. Only `attach` looks, and only at mutexes of the GNU C library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_field: Option<OwnerField>,
}

/// The contents of a mutex's owner field, if they do not name another thread of the waiter's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OwnerField {
    /// The thread id in the field.
    pub tid: u32,
    /// The thread with this id now.
    pub state: OwnerState,
    /// The process of that thread; left out unless `state` is `of_another_process`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
}

/// The thread that has the id of an owner field now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OwnerState {
    /// The thread that waits: it acquired the mutex before, and waits for itself.
    TheWaiter,
    /// None: the owner ended without releasing the mutex.
    Ended,
    /// A thread of another process: the mutex is shared with it, or was acquired before a fork, or the id has been given away again.
    OfAnotherProcess,
    /// No thread of the process. More is not known: the process is in another pid namespace, or that thread is hidden (`hidepid`).
    NotOfThisProcess,
}

/// Waits for an event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SignalWaits {
    /// Calls that returned; `null` if those that did not have to wait are not seen.
    pub waits: Option<u64>,
    /// Calls that had to wait.
    pub blocked: u64,
    /// How long they waited.
    pub wait_ns: WaitTimes,
    /// The part of that from the last signal to the return: waking up and acquiring the mutex again; `null` if not seen.
    pub relock_ns: Option<u64>,
    /// Calls that woke one waiter; `null` if calls that found no waiter are not seen.
    pub signals: Option<u64>,
    /// Calls that woke all waiters, as `signals`.
    pub broadcasts: Option<u64>,
}

/// Waits by the call stack that led to them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StackWaits {
    /// The calls, innermost frame first, including inlined calls.
    pub frames: Vec<Frame>,
    /// Waits with this stack.
    pub waits: u64,
    /// Time waited, nanoseconds.
    pub wait_ns: u64,
}

/// Waits at one place that were ended from one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WokenBy {
    /// The place that waited, innermost frame first.
    pub waiter: Vec<Frame>,
    /// The place that woke it, innermost frame first; `null` if not seen, for example when a deadline ended the wait.
    pub waker: Option<Vec<Frame>>,
    /// Waits.
    pub count: u64,
    /// Time waited, nanoseconds.
    pub wait_ns: u64,
}

/// System calls at the words of a lock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FutexCalls {
    /// Calls that waited and were woken.
    pub woken: u64,
    /// Calls that found the word changed and did not wait (EAGAIN). No other figure includes them.
    pub again: u64,
    /// Waits that ended at their deadline (ETIMEDOUT).
    pub timed_out: u64,
    /// Waits that a signal to the thread ended (EINTR).
    pub interrupted: u64,
    /// Calls that ended with any other error.
    pub failed: u64,
    /// Calls that wake or move waiters; `null` if they cannot be distinguished from those of other locks.
    pub wakes: Option<u64>,
    /// Those of `wakes` that found no waiter.
    pub wakes_empty: Option<u64>,
    /// Threads that were woken or moved.
    pub threads_woken: Option<u64>,
}
