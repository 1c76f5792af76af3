//! The schema `locktoll.profile/1`.
//!
//! Times are nanoseconds. What was not measured is `null`, never zero.

use serde::{Deserialize, Serialize};

/// The name of the schema.
pub const SCHEMA: &str = "locktoll.profile/1";

/// What a recording says about the locks of a program and of the processes it started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// [`SCHEMA`].
    pub schema: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// From the first process's start to the last one's end, nanoseconds.
    pub duration_ns: u64,
    /// Threads that took a lock, all processes together: others pass the recorder unseen.
    pub threads: u64,
    /// How long those threads lived from their first lock on, added up, nanoseconds: what shares of
    /// waiting are shares of.
    pub thread_time_ns: u64,
    /// Time spent waiting for locks, all threads and locks together, nanoseconds.
    pub wait_ns: u64,
    /// Every process recorded, in the order of their start.
    pub processes: Vec<Process>,
    /// How the recorder worked, and what it cost.
    pub recorder: Recorder,
    /// What was not recorded.
    pub dropped: Dropped,
    /// What the reader of the figures should know, in plain sentences.
    pub warnings: Vec<String>,
    /// Every lock, by waiting time, largest first.
    pub locks: Vec<Lock>,
}

/// One process: from exec or fork to its end or its next exec.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// The process that started it.
    pub parent_pid: u32,
    /// Its command line.
    pub command: Vec<String>,
    /// Threads that took a lock in it.
    pub threads: u64,
    /// When it began, nanoseconds after the first process.
    pub start_ns: u64,
    /// How long it ran, nanoseconds; `null` if its end was not seen (killed, `_exit`, exec).
    pub duration_ns: Option<u64>,
}

/// How the recorder worked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorder {
    /// What was timed.
    pub mode: RecorderMode,
    /// What recording adds to one uncontended acquisition and release, nanoseconds.
    pub ns_per_pair: Option<f64>,
    /// The recorder's own share of the processor time used.
    pub share_of_cpu: Option<f64>,
}

/// What was timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecorderMode {
    /// Acquisitions counted, contended waits timed, hold times not measured.
    Waits,
}

/// What was not recorded, by reason. All zero means that nothing is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// Acquisitions of locks at call sites that came up after recording had stopped.
    pub after_stop: u64,
    /// Acquisitions counted under their lock, but under no call site.
    pub sites: u64,
    /// Threads without a record of their life; their acquisitions are counted.
    pub threads: u64,
    /// Stretches of mapped files that could not be kept, so that addresses in them have no name.
    pub modules: u64,
    /// Parts and records of the recording that could not be read.
    pub damaged: u64,
}

/// The sort of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LockKind {
    /// `pthread_mutex_t`, and what is built on it.
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

/// One lock, or all locks that were first taken at one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lock {
    /// The same in every run of the same program.
    pub id: String,
    /// Its sort.
    pub kind: LockKind,
    /// For people: the variable's name, or where the lock was first taken.
    pub name: String,
    /// The first place that took it, innermost frame first.
    pub first_site: Vec<Frame>,
    /// How many locks this row stands for.
    pub instances: u64,
    /// Times it was acquired, contended or not.
    pub acquisitions: u64,
    /// Acquisitions that did not succeed at once and were waited for.
    pub contended: u64,
    /// Attempts (`trylock`) that found it taken.
    pub try_failed: u64,
    /// Waits that ended by their deadline, without the lock.
    pub timed_out: u64,
    /// Threads that were still waiting for it when recording ended.
    pub still_waiting: u64,
    /// How long acquisitions waited.
    pub wait_ns: WaitTimes,
    /// How long it was held; `null` if not measured.
    pub hold_ns: Option<HoldTimes>,
    /// Where it was acquired, by waiting time, largest first.
    pub sites: Vec<Site>,
    /// Whose waiting is whose doing, largest first.
    pub blame: Vec<Blame>,
}

/// Waiting times, nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WaitTimes {
    /// All waits together, those given up at a deadline included.
    pub total: u64,
    /// The longest wait; `null` if nothing waited.
    pub max: Option<u64>,
    /// Half of the waits were not longer; true within a factor of two.
    pub p50: Option<f64>,
    /// 99 in 100 of the waits were not longer; true within a factor of two.
    pub p99: Option<f64>,
    /// Waits by their length: entry `i` counts those from 2^i up to 2^(i+1) ns. Trailing zeros are
    /// left out.
    pub log2: Vec<u64>,
}

/// Holding times, nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoldTimes {
    /// All holds together, scaled up if sampled.
    pub total: u64,
    /// The longest hold timed.
    pub max: u64,
    /// Half of the holds were not longer.
    pub p50: f64,
    /// 99 in 100 of the holds were not longer.
    pub p99: f64,
    /// How many holds were timed.
    pub sampled: u64,
}

/// A place that acquires a lock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// The place, innermost frame first. Empty if it could not be kept.
    pub frames: Vec<Frame>,
    /// Acquisitions made here.
    pub acquisitions: u64,
    /// Those of them that were waited for.
    pub contended: u64,
    /// Attempts made here that found the lock taken.
    pub try_failed: u64,
    /// Time waited here, nanoseconds.
    pub wait_ns: u64,
    /// The longest wait here, nanoseconds; `null` if nothing waited.
    pub wait_max_ns: Option<u64>,
}

/// Waiting at one place, charged to the place where the holder had acquired the lock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blame {
    /// Who waited, innermost frame first.
    pub waiter: Vec<Frame>,
    /// Who held the lock meanwhile, innermost frame first; `null` if not measured.
    pub holder: Option<Vec<Frame>>,
    /// Waits.
    pub count: u64,
    /// Time waited, nanoseconds.
    pub wait_ns: u64,
}

/// One function at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The function, demangled; `null` if it has no name.
    pub function: Option<String>,
    /// The source file, as the compiler was told.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The file of code that the place lies in; `null` for generated code.
    pub module: Option<String>,
    /// The place as an address of that file's own numbering (what `addr2line -e MODULE` takes),
    /// or in memory if there is no module.
    pub offset: Option<u64>,
}
