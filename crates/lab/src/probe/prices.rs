//! The price list that the probes pass to reports: part of the schema `locktoll.machine/1`.
//!
//! Times are nanoseconds. A figure that was not measured, or whose check failed, is `None`, with the reason.

use serde::{Deserialize, Serialize};

use super::ParkMisses;
use crate::contender;
use crate::stats::Estimate;

/// All prices of a machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Prices {
    /// Every probe's figure, in reading order.
    pub parts: Vec<Part>,
    /// The parts of a contended hand-over.
    pub decomposition: Decomposition,
    /// The cost of moving a cache line from one CPU to another, for each pair.
    pub transfers: Option<Transfers>,
    /// The cost of cold caches and a cold TLB after a switch, by size of the working set.
    pub refill: Vec<Refill>,
    /// Every lock's uncontended price and how often it enters the kernel.
    pub locks: Vec<LockPrice>,
    /// Java's locks, where a JDK is found.
    pub java: Option<Java>,
    /// Hardware counters, where the machine has them.
    pub counters: Option<Counters>,
    /// Cache misses of threads that only park and unpark each other; `None` in results of earlier versions, and on Windows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub park_misses: Option<ParkMisses>,
    /// How the probes' threads were scheduled.
    pub scheduling: Scheduling,
}

/// One line of the price list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Part {
    /// Stable name, for scripts: `futex-wake-none`.
    pub name: String,
    /// Name for people: "futex wake, nobody waits".
    pub title: String,
    /// The section of the list that it belongs to.
    pub group: Group,
    /// How the figure is computed: "(round trip on one CPU - 2 yields) / 2".
    pub formula: String,
    /// Nanoseconds for one operation as the title names it; `None` if refused.
    pub value: Option<Estimate>,
    /// Context switches that one round of the probe must make, both threads together; `None` where none is involved.
    pub switches_expected: Option<f64>,
    /// Context switches that the kernel counted in a round.
    pub switches_counted: Option<f64>,
    /// Voluntary and involuntary ones among those counted.
    pub mix: Option<Switches>,
    /// Why there is no value: the counts were off, or the machine does not offer it.
    pub refused: Option<String>,
    /// What the reader should know about the figure.
    pub note: Option<String>,
}

/// Sections of the price list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// Loads, stores, atomics: without the kernel.
    Memory,
    /// Entering the kernel and coming back.
    KernelEntry,
    /// From one thread or process to another.
    Switch,
    /// Putting a thread to sleep and waking it.
    WakeUp,
    /// Whole round trips through a pipe, a condition variable and so on, priced one way.
    RoundTrip,
    /// Reading clocks, and the resolution of timed wake-ups.
    Clock,
}

/// Context switches by kind, per round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Switches {
    /// A thread went to sleep.
    pub voluntary: f64,
    /// A thread was made to give way, or yielded.
    pub involuntary: f64,
}

/// The parts of a contended hand-over, on one CPU and across two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Decomposition {
    /// Both threads on one CPU; `None` if a part of it was refused.
    pub same_cpu: Option<HandOver>,
    /// The threads on two CPUs; `None` with one CPU.
    pub cross_cpu: Option<HandOver>,
    /// Why one of them is missing.
    pub refused: Option<String>,
    /// The mechanism of the hand-over ("an auto-reset event"); `None` means a futex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// The other hand-over from which the parts that cannot be timed alone were found ("a semaphore"); `None` means an eventfd.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtracted_from: Option<String>,
}

/// One hand-over: from the release by one thread until another runs with the lock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HandOver {
    /// Measured as a whole, by a ping-pong (of futexes; on Windows, of events). No part is derived from it.
    pub total_ns: Estimate,
    /// The parts that it consists of.
    pub parts: Vec<Share>,
    /// The total less the sum of the parts, round by round. The parts come from calls that neither sleep nor wake, from yields,
    /// and from a hand-over by another mechanism. So the residual says how well sleeping, waking and the way between CPUs, found
    /// with one mechanism, hold for another. It cannot show an error in the switch alone, because the scheduler's part would be
    /// off by the same amount in the other direction. Nor does it show how the work of a hand-over is divided between the parts
    /// found by subtraction.
    pub residual_ns: Estimate,
    /// Other ways to hand over, predicted from the parts in the same manner and measured as a whole.
    pub arms: Vec<Arm>,
    /// Arms that could not be predicted, each with its reason.
    #[serde(default)]
    pub arms_refused: Vec<String>,
}

/// One part of a hand-over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Share {
    /// Stable name: `system-calls`, `switch`, `scheduler`, `crossing`, `idle-exit`.
    pub name: String,
    /// For people: "system calls".
    pub title: String,
    /// How much of the hand-over it takes.
    pub ns: Estimate,
    /// How it was found.
    pub formula: String,
    /// Whether it was measured or found by subtraction.
    #[serde(default)]
    pub found: Found,
}

/// How a part of a hand-over was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// By separate probes, in which nothing is handed over.
    Measured,
    /// As the remainder of whole hand-overs (by eventfd; on Windows, by semaphore) after the other parts are subtracted. Nothing
    /// else is known about it.
    #[default]
    Subtraction,
}

/// An independent check of the decomposition: whether system calls, measured alone, and the sleep, the wake-up and the switch of
/// an eventfd hand-over add up to the time of another mechanism.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Arm {
    /// Stable name: `pipe`, `condvar`, `signal`, `park`.
    pub name: String,
    /// One way, measured as a whole.
    pub measured_ns: Estimate,
    /// The sum of the arm's system calls and the time of an eventfd hand-over beyond the eventfd's own calls.
    pub predicted_ns: Estimate,
    /// Measured less predicted.
    pub residual_ns: Estimate,
}

/// One-way costs of a cache line between CPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Transfers {
    /// The CPUs, in the order of rows and columns.
    pub cpus: Vec<usize>,
    /// `one_way_ns[from][to]`; `None` on the diagonal and where it was refused.
    pub one_way_ns: Vec<Vec<Option<Estimate>>>,
}

/// The price of continuing with a cold cache or TLB.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Refill {
    /// Size of the working set that a pass reads.
    pub bytes: u64,
    /// What made it cold.
    pub kind: RefillKind,
    /// Time that a switch adds to the next pass through the working set, compared with a pass without a switch, in nanoseconds. A
    /// pass reads each cache line once, in random order. In a large working set it reads the next 65,536 lines, and in one larger
    /// than the last-level cache, where every line comes from memory anyway, the next 32,768.
    pub added_ns: Option<Estimate>,
    /// Why there is no figure.
    pub refused: Option<String>,
}

/// The kinds of refill that are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RefillKind {
    /// Two threads on one CPU read the same array on small pages: the damage done by the switch itself.
    Shared,
    /// Each thread reads its own array: the other thread evicts it from the caches.
    Own,
    /// Each process reads its own array at the same addresses: address translations are lost, too.
    OwnProcess,
    /// As `Own`, on huge pages: what remains without misses in the TLB.
    OwnHugePages,
}

/// A lock's line in the price list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LockPrice {
    /// The name, as in `locktoll bench --list`.
    #[serde(deserialize_with = "contender::saved_name")]
    pub name: String,
    /// Processor time of one acquisition and release by one thread, less the empty loop.
    pub uncontended_ns: Option<Estimate>,
    /// True if `uncontended_ns` is wall time, because the system's account of processor time is too coarse for a short slice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_wall_clock: bool,
    /// System calls per acquisition and release, counted by stopping at each; `None` where that is not permitted.
    pub kernel_entries_per_op: Option<f64>,
    /// Why there is no figure.
    pub refused: Option<String>,
}

/// Java's locks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Java {
    /// The JDK's version, or `None` where none was found.
    pub version: Option<String>,
    /// Why there are no figures.
    pub refused: Option<String>,
    /// One call of `LockSupport.park` in a ping-pong of two threads (the experiment of 2012: CLAIMS D1), one way. The threads are
    /// pinned to the two CPUs of the futex hand-over, where that is permitted.
    pub park_unpark_ns: Option<Estimate>,
    /// `synchronized`, uncontended.
    pub synchronized_ns: Option<Estimate>,
    /// `ReentrantLock.lock` and `unlock`, uncontended.
    pub reentrant_lock_ns: Option<Estimate>,
}

/// Hardware counters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Counters {
    /// Whether perf_event_open(2) gives hardware counters here.
    pub available: bool,
    /// Why not, in a sentence.
    pub refused: Option<String>,
    /// Misses in the last-level cache per switch between threads with separate working sets.
    pub cache_misses_per_switch: Option<Estimate>,
    /// Misses in the data TLB, likewise per switch.
    pub tlb_misses_per_switch: Option<Estimate>,
}

/// How the probes' threads were scheduled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Scheduling {
    /// `SCHED_FIFO` or `SCHED_OTHER`; on Windows the priority of threads, `THREAD_PRIORITY_TIME_CRITICAL` or `..._NORMAL`.
    pub policy: String,
    /// Why the first of them is not used.
    pub refused: Option<String>,
    /// The kernel's cap on real-time threads, as a share of the period (`sched_rt_runtime_us`), where it matters.
    pub realtime_share: Option<f64>,
}
