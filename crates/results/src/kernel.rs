//! The result of `kernel`: the schema `locktoll.kernel/1`. Times are nanoseconds.

use crate::Made;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;
use serde::{Deserialize, Serialize};

/// Waits for the kernel's locks over some time, with their surroundings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct KernelResult {
    /// `locktoll.kernel/1`.
    pub schema: String,
    /// The program that measured.
    pub version: String,
    /// When, where and by which version of locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// Where it was measured.
    pub machine: Machine,
    /// The activity of other programs. The CPU time of a command, once it has ended, does not count as theirs.
    pub noise: Noise,
    /// The command that ran meanwhile.
    pub command: Option<Vec<String>>,
    /// The scope of the waits.
    pub scope: KernelScope,
    /// The length of the watch.
    pub duration_ns: u64,
    /// Ticks of the processor's counter per nanosecond; `None` if it has none.
    pub ticks_per_ns: Option<f64>,
    /// All waits.
    pub total: KernelWaits,
    /// By kind of lock, the most time first.
    pub kinds: Vec<KernelKind>,
    /// By the processor on which they ended.
    pub cpus: Vec<KernelCpu>,
    /// By the function that asked for the lock, the most time first; `None` if this was not requested.
    pub callers: Option<Vec<KernelCaller>>,
    /// By lock, the most time first; `None` if this was not requested.
    pub locks: Option<Vec<KernelLock>>,
    /// Why functions and variables have no names, if they have none.
    pub why_no_names: Option<String>,
    /// The cost of watching.
    pub probe: KernelProbe,
    /// The losses.
    pub lost: KernelLost,
}

/// The scope of waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KernelScope {
    /// Of all threads and interrupts.
    Machine,
    /// Of the command and the processes it started.
    Command,
    /// Of the threads in a control group, and in the groups below it.
    ControlGroup,
}

/// Kinds of locks, as the kernel's tracepoints distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KernelLockKind {
    /// A spin lock.
    Spin,
    /// A spinning reader-writer lock, for reading.
    RwlockRead,
    /// For writing.
    RwlockWrite,
    /// A sleeping reader-writer lock (`rw_semaphore`), for reading.
    RwsemRead,
    /// For writing.
    RwsemWrite,
    /// A mutex.
    Mutex,
    /// A reader-writer lock with one count per CPU (`percpu_rw_semaphore`), for reading.
    PercpuRead,
    /// For writing.
    PercpuWrite,
    /// A mutex with priority inheritance. Also the spin locks of a real-time kernel, and futexes of the FUTEX_LOCK_PI kind.
    Rt,
    /// A real-time kernel's reader-writer lock, for reading.
    RtRead,
    /// For writing.
    RtWrite,
    /// None of the known kinds.
    Other,
}

impl KernelLockKind {
    /// Returns words for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Spin => "spin lock",
            Self::RwlockRead => "rwlock, read",
            Self::RwlockWrite => "rwlock, write",
            Self::RwsemRead => "rwsem, read",
            Self::RwsemWrite => "rwsem, write",
            Self::Mutex => "mutex",
            Self::PercpuRead => "percpu, read",
            Self::PercpuWrite => "percpu, write",
            Self::Rt => "rt_mutex",
            Self::RtRead => "RT rwlock, read",
            Self::RtWrite => "RT rwlock, write",
            Self::Other => "other",
        }
    }

    /// Whether a waiter keeps its CPU.
    pub fn spins(self) -> bool {
        matches!(self, Self::Spin | Self::RwlockRead | Self::RwlockWrite)
    }
}

/// A set of waits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct KernelWaits {
    /// Their number.
    pub count: u64,
    /// Their total time.
    pub total_ns: u64,
    /// The longest wait; `None` for the time between two readings.
    pub max_ns: Option<u64>,
    /// The median, within a factor of two; `None` if there were none.
    pub p50_ns: Option<f64>,
    /// The length that 99 in 100 did not exceed, within a factor of two.
    pub p99_ns: Option<f64>,
    /// By length: entry `i` counts from 2^i up to 2^(i+1) ns; those behind the last are zero.
    pub log2: Vec<u64>,
}

/// Waits for one kind of lock.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct KernelKind {
    /// The kind.
    pub kind: KernelLockKind,
    /// Its waits.
    #[serde(flatten)]
    pub waits: KernelWaits,
    /// Waits that ended without the lock, by a signal or because a deadlock was found.
    pub failed: u64,
    /// Further begins before the one end of a wait, which a mutex reports whenever its waiter goes from spinning to sleeping. The
    /// first counts.
    pub repeated_begins: u64,
    /// By length in ticks of the processor's counter; `None` if it has none.
    pub log2_ticks: Option<Vec<u64>>,
}

/// Waits that ended on one processor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct KernelCpu {
    /// Its number.
    pub cpu: usize,
    /// The waits.
    #[serde(flatten)]
    pub waits: KernelWaits,
}

/// Waits that one function caused.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct KernelCaller {
    /// The first function outside the locks' own code; an address if names are not known; `None` if there is no stack.
    pub function: Option<String>,
    /// The functions that called it, innermost first, in the case that took most time.
    pub from: Vec<String>,
    /// The kind of lock.
    pub kind: KernelLockKind,
    /// The waits.
    #[serde(flatten)]
    pub waits: KernelWaits,
}

/// Waits for one lock.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct KernelLock {
    /// A variable of the kernel, or a field of an object of the waiting thread; `None` for allocated memory.
    pub name: Option<String>,
    /// Its address, as the kernel writes addresses; `None` for a field, which represents many locks.
    pub address: Option<String>,
    /// A function that waited for it.
    pub caller: Option<String>,
    /// The kind of lock.
    pub kind: KernelLockKind,
    /// The waits.
    #[serde(flatten)]
    pub waits: KernelWaits,
}

/// The time of locktoll's programs, as measured by the kernel. `None` if the kernel does not report it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct KernelProbe {
    /// The mean length of a run at the beginning of a wait. It delays the waiter before its wait counts.
    pub begin_ns: Option<f64>,
    /// The mean length of a run at the end of a wait. The waiter holds the lock in that time, so others wait for it.
    pub end_ns: Option<f64>,
    /// The total time of all runs.
    pub total_ns: Option<u64>,
    /// The time of all runs divided by all waiting.
    pub share_of_waiting: Option<f64>,
    /// The time of all runs divided by the time of all processors.
    pub share_of_time: Option<f64>,
    /// Why it is not known.
    pub why_not: Option<String>,
}

/// The losses, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct KernelLost {
    /// More waits at once in one context than there is room for.
    pub nested: u64,
    /// No memory for a thread's waits.
    pub threads: u64,
    /// No room for a call stack: the wait is counted, but without a caller.
    pub stacks: u64,
    /// No room for another caller: counted, but not in `callers`.
    pub callers: u64,
    /// No room for another lock: counted, but not in `locks`.
    pub locks: u64,
    /// Waits whose end was not seen.
    pub ends: u64,
    /// Ends whose begin was not seen, including those of waits that began before the watch.
    pub begins: u64,
    /// Events that the kernel did not report, since they interrupted locktoll's own program.
    pub skipped: u64,
}

impl KernelLockKind {
    /// In the order of `enum kind` in `bpf/kernel.bpf.c`.
    pub const ALL: [Self; 12] = [
        Self::Spin,
        Self::RwlockRead,
        Self::RwlockWrite,
        Self::RwsemRead,
        Self::RwsemWrite,
        Self::Mutex,
        Self::PercpuRead,
        Self::PercpuWrite,
        Self::Rt,
        Self::RtRead,
        Self::RtWrite,
        Self::Other,
    ];
}

impl KernelResult {
    /// The value of [`schema`](Self::schema).
    pub const SCHEMA: &str = "locktoll.kernel/1";
}
