//! The schema `locktoll.profile/1`.
//!
//! Times are nanoseconds. What was not measured is `null`, never zero.

use serde::{Deserialize, Serialize};

use super::{Anchor, HolderPreemption, PreemptionTotal};

/// The name of the schema.
pub const SCHEMA: &str = "locktoll.profile/1";

/// What a recording says about the locks of a program and of the processes it started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// [`SCHEMA`].
    pub schema: String,
    /// How it was observed. A document without it is of a recording.
    #[serde(default, skip_serializing_if = "Source::is_record")]
    pub source: Source,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// From the first process's start to the last one's end, nanoseconds.
    pub duration_ns: u64,
    /// User time of all processes recorded, nanoseconds, as far as they told before they ended; `null` if none did.
    pub user_ns: Option<u64>,
    /// Kernel time, as `user_ns`.
    pub system_ns: Option<u64>,
    /// Voluntary context switches, as `user_ns`.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches, as `user_ns`.
    pub involuntary_switches: Option<u64>,
    /// Threads seen, all processes together.
    pub threads: u64,
    /// How long those threads lived, added up, nanoseconds: what shares of waiting are shares of.
    pub thread_time_ns: u64,
    /// Time spent waiting for locks, all threads and locks together, nanoseconds.
    pub wait_ns: u64,
    /// Time spent waiting for signals, all threads together, nanoseconds.
    pub signal_wait_ns: u64,
    /// Where the threads' time went.
    pub time: ThreadTime,
    /// Every thread, by the time it waited for locks, longest first.
    pub per_thread: Vec<Thread>,
    /// Every process recorded, in the order of their start.
    pub processes: Vec<Process>,
    /// The files of code that were mapped, by path.
    pub modules: Vec<Module>,
    /// How the recorder worked, and what it cost.
    pub recorder: Recorder,
    /// Holders that lost their processor, all locks together; `null` if nothing is known of that.
    #[serde(default)]
    pub preemption: Option<PreemptionTotal>,
    /// What was not recorded.
    pub dropped: Dropped,
    /// What the reader of the figures should know, in plain sentences.
    pub warnings: Vec<String>,
    /// Every lock, by waiting time (what had not ended included), largest first; what is used as a signal after the locks that were waited for.
    pub locks: Vec<Lock>,
}

/// How a program was observed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// By the recorder in the program: every acquisition, hold and wait.
    #[default]
    Record,
    /// By the kernel, of a running program: waits that entered the kernel. Acquisitions, holds and spinning are not seen.
    Attach,
}

impl Source {
    /// Whether it is a recording.
    #[must_use]
    pub fn is_record(&self) -> bool {
        *self == Self::Record
    }
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
    /// User time, nanoseconds; `null` if the process did not tell before it ended.
    pub user_ns: Option<u64>,
    /// Kernel time, as `user_ns`.
    pub system_ns: Option<u64>,
    /// Voluntary context switches, as `user_ns`.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches, as `user_ns`.
    pub involuntary_switches: Option<u64>,
}

/// One file of code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Its path, as frames name it.
    pub path: String,
    /// Its GNU build id in hexadecimal, as `file` and debuginfod write it, as far as the recording had room for; `null` if
    /// it has none, or if processes had different files at this path.
    pub build_id: Option<String>,
}

/// Where the time of threads went, nanoseconds, added up over threads.
///
/// `null` where the kernel was not asked in time: threads that were killed with their process. The shares are then of
/// the threads that are known, whose number is `threads`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThreadTime {
    /// Threads whose whole time is known.
    pub threads: u64,
    /// Their lives, added up.
    pub total_ns: u64,
    /// On a processor.
    pub running_ns: u64,
    /// Waiting for locks, less what of that was spent on a processor or waiting for one, as far as it was examined.
    pub lock_ns: u64,
    /// Waiting for signals: condition variables, barriers, semaphores that nobody held, futex words that are no locks.
    pub signal_ns: u64,
    /// Runnable, waiting for a processor.
    pub cpu_wait_ns: u64,
    /// The rest: input and output, sleep, and everything else that blocks.
    pub other_ns: u64,
}

/// One thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Its name, the last one seen.
    pub name: String,
    /// The function it was started with; `null` for a process's first thread or if not known.
    pub started_with: Option<Frame>,
    /// When it was first seen, nanoseconds after the first process began.
    pub start_ns: u64,
    /// How long it lived, nanoseconds.
    pub duration_ns: u64,
    /// On a processor, nanoseconds; `null` if not known.
    pub cpu_ns: Option<u64>,
    /// Runnable, waiting for a processor, nanoseconds; `null` if not known.
    pub cpu_wait_ns: Option<u64>,
    /// Waiting for locks, nanoseconds; a wait that had not ended is in it up to the end of recording. `null` if it is not known of this
    /// thread what it waited for.
    pub lock_wait_ns: Option<u64>,
    /// Of that, the wait that had not ended, nanoseconds.
    pub lock_still_waiting_ns: u64,
    /// Waiting for signals, nanoseconds, as `lock_wait_ns`.
    pub signal_wait_ns: Option<u64>,
    /// Of that, the wait that had not ended, nanoseconds.
    pub signal_still_waiting_ns: u64,
    /// Waiting in system calls for locks and signals together, in waits that ended, nanoseconds; left out where each is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub futex_wait_ns: Option<u64>,
    /// Voluntary context switches; `null` if not known.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches; `null` if not known.
    pub involuntary_switches: Option<u64>,
}

/// How the recorder worked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorder {
    /// What was timed; `null` if nothing was recorded in the program.
    pub mode: Option<RecorderMode>,
    /// What recording adds to one uncontended acquisition and release, nanoseconds.
    pub ns_per_pair: Option<f64>,
    /// The recorder's own share of the processor time used.
    pub share_of_cpu: Option<f64>,
}

/// What was timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecorderMode {
    /// Acquisitions counted, contended waits timed, a sample of the holds timed.
    Sampled,
    /// Acquisitions counted, contended waits and all holds timed.
    Exact,
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
    /// Stacks that could not be kept; their waits are counted under the call site alone.
    pub stacks: u64,
    /// Stretches of mapped files that could not be kept, so that addresses in them have no name.
    pub modules: u64,
    /// Parts and records of the recording that could not be read.
    pub damaged: u64,
    /// Waits for which there was no room in the kernel: in no figure.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub waits: u64,
    /// Calls that wake somebody, for which there was no room in the kernel.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wakes: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
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

/// What threads use an object for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Use {
    /// To exclude each other: waiting for it is contention.
    Lock,
    /// To tell each other something: waiting for it is not contention. Condition variables, barriers, semaphores that
    /// are mostly posted by threads that do not hold them, futex words of condition variables and parked threads.
    Signal,
}

/// One lock, or all locks that came from one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lock {
    /// The same in every run of the same program.
    pub id: String,
    /// Its sort.
    pub kind: LockKind,
    /// What it is used for. What waits for a signal is in `signal`, and `contended` and `wait_ns` are then zero.
    pub used_as: Use,
    /// For people: the variable's name, or where the lock was initialised or first taken.
    pub name: String,
    /// The first place that took it, innermost frame first.
    pub first_site: Vec<Frame>,
    /// The stack of calls that initialised it or took it first, innermost frame first; empty if not known.
    pub birth: Vec<Frame>,
    /// Whether `birth` is where it was initialised, not only where it was first taken.
    pub initialised: bool,
    /// How many locks this row stands for.
    pub instances: u64,
    /// Times it was acquired, contended or not; `null` for futex words, whose acquisitions without a wait pass unseen, and
    /// for what is used as a signal.
    pub acquisitions: Option<u64>,
    /// Of those, shared with other readers; `null` if the lock has no readers.
    pub read_acquisitions: Option<u64>,
    /// Acquisitions that did not succeed at once and were waited for.
    pub contended: u64,
    /// Attempts (`trylock`) that found it taken; `null` if not seen.
    pub try_failed: Option<u64>,
    /// Waits that ended by their deadline, without the lock.
    pub timed_out: u64,
    /// Threads that were still waiting for it when recording ended.
    pub still_waiting: u64,
    /// How long those had waited by then, added up, nanoseconds. Not in `wait_ns`, `sites`, `stacks` and `blame`, which are
    /// about waits that ended. Of a process that was killed beside others it is known up to the last that was heard of it.
    pub still_waiting_ns: u64,
    /// The longest of those waits; `null` if there was none.
    pub longest_still_waiting: Option<StillWaiting>,
    /// How long acquisitions waited.
    pub wait_ns: WaitTimes,
    /// What the waiting consisted of; `null` if nothing waited.
    pub wait_split: Option<WaitSplit>,
    /// How long it was held; `null` if not measured.
    pub hold_ns: Option<HoldTimes>,
    /// Whether the mean hold is shorter than what recording adds to an acquisition and release, so that `hold_ns`
    /// tells of the recorder rather than of the program.
    pub recorder_dominates: bool,
    /// What happened while it was held; `null` if not measured.
    pub while_held: Option<WhileHeld>,
    /// How often and how long holders lost their processor; `null` if nothing is known of that.
    #[serde(default)]
    pub preemption: Option<HolderPreemption>,
    /// Waits for signals, if that is what it is used for.
    pub signal: Option<SignalWaits>,
    /// Where it was acquired, by waiting time, largest first.
    pub sites: Vec<Site>,
    /// Waits by the stack that led to them, by waiting time, largest first.
    pub stacks: Vec<StackWaits>,
    /// The single locks of a row that stands for several, the dearest first, at most [`MEMBERS`] of them.
    pub members: Vec<Member>,
    /// Whose waiting is whose doing, largest first.
    pub blame: Vec<Blame>,
    /// Who ended whose waits, by waiting time, largest first; left out where it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub woken_by: Vec<WokenBy>,
    /// The system calls of waiting and waking; left out where they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub futex: Option<FutexCalls>,
    /// Where its locks are found again in another run, as long as the program's files stay as they are; in no document, since
    /// `id` is what outlives a change of the program.
    #[serde(skip)]
    pub anchors: Vec<Anchor>,
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

/// A wait that had not ended when recording did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StillWaiting {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Where the thread waited, innermost frame first. Empty if not known.
    pub frames: Vec<Frame>,
    /// How long, nanoseconds.
    pub wait_ns: u64,
}

/// How many single locks of a row are listed.
pub const MEMBERS: usize = 20;

/// One lock of a row that stands for several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Process id.
    pub pid: u32,
    /// Its address in that process.
    pub address: u64,
    /// Which lock at that address.
    pub generation: u32,
    /// Where it lies in its variable, if it is in one.
    pub offset: Option<u64>,
    /// As in [`Lock`].
    pub acquisitions: Option<u64>,
    /// As in [`Lock`]; of a signal, calls that had to wait.
    pub contended: u64,
    /// Time waited for it, nanoseconds.
    pub wait_ns: u64,
    /// How long it was held, estimated, nanoseconds; `null` if not measured for it alone.
    pub hold_ns: Option<u64>,
}

/// What waiting consisted of, nanoseconds. The parts add up to the total wait.
///
/// `spinning` is an estimate from the waits that were examined; `runnable` is measured at every wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WaitSplit {
    /// On a processor: spinning, and the system calls of waiting themselves; `null` if not seen.
    pub spinning_ns: Option<u64>,
    /// Blocked while somebody else had the lock.
    pub blocked_ns: u64,
    /// Woken and not yet running: from the last release to the end of the wait.
    pub runnable_ns: u64,
    /// Of all waits, those that were examined for `spinning` and for context switches.
    pub examined: u64,
    /// Voluntary context switches in the examined waits.
    pub voluntary_switches: u64,
    /// Involuntary context switches in the examined waits.
    pub involuntary_switches: u64,
}

/// Waits for a signal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SignalWaits {
    /// Calls that returned; `null` if those that did not have to wait are not seen.
    pub waits: Option<u64>,
    /// Calls that had to wait.
    pub blocked: u64,
    /// How long they waited.
    pub wait_ns: WaitTimes,
    /// Of that, from the last signal to the return: waking up and acquiring the mutex again; `null` if not seen.
    pub relock_ns: Option<u64>,
    /// Calls that woke one waiter; `null` if those that met nobody are not seen.
    pub signals: Option<u64>,
    /// Calls that woke all waiters, as `signals`.
    pub broadcasts: Option<u64>,
}

/// What happened while a lock was held.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WhileHeld {
    /// Holds that were examined for context switches.
    pub examined: u64,
    /// Those of them in which the holder blocked.
    pub blocked: u64,
    /// Voluntary context switches in the examined holds.
    pub voluntary_switches: u64,
    /// Involuntary context switches in the examined holds: the holder was preempted.
    pub involuntary_switches: u64,
    /// System calls that may block, entered through the C library while it was held, all holds together.
    pub system_calls: u64,
}

/// Waits by the stack of calls that led to them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StackWaits {
    /// The calls, innermost frame first, what was inlined included.
    pub frames: Vec<Frame>,
    /// Waits with this stack.
    pub waits: u64,
    /// Time waited, nanoseconds.
    pub wait_ns: u64,
}

/// Holding times, nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoldTimes {
    /// All holds together, scaled up if sampled. Holds of one lock at once (readers) count each.
    pub total: u64,
    /// The longest hold timed.
    pub max: u64,
    /// Half of the timed holds were not longer.
    pub p50: f64,
    /// 99 in 100 of the timed holds were not longer.
    pub p99: f64,
    /// How many holds were timed.
    pub sampled: u64,
    /// Timed holds by their length: entry `i` counts those from 2^i up to 2^(i+1) ns. Trailing zeros are left out.
    pub log2: Vec<u64>,
}

/// A place that acquires a lock, or waits for a signal.
///
/// Where the call of the lock function lies in a library (Rust's standard library, C++'s without optimization), the
/// waits made there are listed by the program's own calls that led to them, and the frames reach out to those. Who
/// acquired there without a wait is not known: all acquisitions are then listed under the library's call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// The place, innermost frame first. Empty if it could not be kept.
    pub frames: Vec<Frame>,
    /// Acquisitions made here; of a signal, calls that returned here. `null` as in [`Lock`], and for a call that is known
    /// by its waits alone.
    pub acquisitions: Option<u64>,
    /// Those of them that were waited for.
    pub contended: u64,
    /// Attempts made here that found the lock taken; `null` if not seen.
    pub try_failed: Option<u64>,
    /// Time waited here, nanoseconds.
    pub wait_ns: u64,
    /// The longest wait here, nanoseconds; `null` if nothing waited, or if it is not known of this place alone.
    pub wait_max_ns: Option<u64>,
    /// How long what was acquired here was held, estimated, nanoseconds; `null` if not measured.
    pub hold_ns: Option<u64>,
}

/// Waiting at one place, charged to the place where the holder had acquired the lock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blame {
    /// Who waited, innermost frame first.
    pub waiter: Vec<Frame>,
    /// Who held the lock meanwhile, innermost frame first; `null` if not measured.
    pub holder: Option<Vec<Frame>>,
    /// The thread that held it when the wait began; left out where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder_thread: Option<HolderThread>,
    /// Waits that this holder had the largest share of.
    pub count: u64,
    /// Time waited, nanoseconds.
    pub wait_ns: u64,
}

/// A thread that held a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HolderThread {
    /// Thread id.
    pub tid: u32,
    /// Its name; empty if not known.
    pub name: String,
}

/// Waits at one place that were ended from one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WokenBy {
    /// Who waited, innermost frame first.
    pub waiter: Vec<Frame>,
    /// Who woke it, innermost frame first; `null` if not seen, as where a deadline ended the wait.
    pub waker: Option<Vec<Frame>>,
    /// Waits.
    pub count: u64,
    /// Time waited, nanoseconds.
    pub wait_ns: u64,
}

/// System calls at the words of a lock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FutexCalls {
    /// Calls that waited and were woken.
    pub woken: u64,
    /// Calls that found the word changed and did not wait (EAGAIN). In no other figure.
    pub again: u64,
    /// Waits that ended by their deadline (ETIMEDOUT).
    pub timed_out: u64,
    /// Waits that ended by a signal to the thread (EINTR).
    pub interrupted: u64,
    /// Calls that ended by any other error.
    pub failed: u64,
    /// Calls that wake or move waiters; `null` where they cannot be told from those of other locks.
    pub wakes: Option<u64>,
    /// Of those, the ones that met nobody.
    pub wakes_empty: Option<u64>,
    /// Threads that were woken or moved.
    pub threads_woken: Option<u64>,
}

/// One function at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
