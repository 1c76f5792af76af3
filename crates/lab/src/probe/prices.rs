//! The price list that the probes give to reports: part of the schema `locktoll.machine/1`.
//!
//! Times are nanoseconds. A figure that was not measured, or whose check failed, is `None`, with the reason.

use serde::{Deserialize, Serialize};

use crate::contender;
use crate::stats::Estimate;

/// All prices of a machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// Every probe's figure, in the order in which they are to be read.
    pub parts: Vec<Part>,
    /// What a contended hand-over is made of.
    pub decomposition: Decomposition,
    /// What a cache line's way from one CPU to another costs, for each pair.
    pub transfers: Option<Transfers>,
    /// What finding the caches and the TLB cold after a switch costs, by size of the working set.
    pub refill: Vec<Refill>,
    /// Every lock's uncontended price and how often it enters the kernel.
    pub locks: Vec<LockPrice>,
    /// Java's locks, where a JDK is found.
    pub java: Option<Java>,
    /// Hardware counters, where the machine has them.
    pub counters: Option<Counters>,
    /// How the probes' threads were scheduled.
    pub scheduling: Scheduling,
}

/// One line of the price list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Stable name, for scripts: `futex-wake-none`.
    pub name: String,
    /// The same for people: "futex wake, nobody waits".
    pub title: String,
    /// Where it stands in the list.
    pub group: Group,
    /// How the figure is made: "(round trip on one CPU - 2 yields) / 2".
    pub formula: String,
    /// Nanoseconds for one of what the title says; `None` if refused.
    pub value: Option<Estimate>,
    /// Context switches that one round of the probe must make, both threads together; `None` where none is involved.
    pub switches_expected: Option<f64>,
    /// Context switches that the kernel counted in a round.
    pub switches_counted: Option<f64>,
    /// Voluntary and involuntary ones among those counted.
    pub mix: Option<Switches>,
    /// Why there is no value: counts were off, or the machine does not have it.
    pub refused: Option<String>,
    /// What the reader should know of the figure.
    pub note: Option<String>,
}

/// Sections of the price list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// Whole round trips through a pipe, a condition variable ..., one way.
    RoundTrip,
    /// Reading clocks, and how finely the system wakes by the clock.
    Clock,
}

/// Context switches by kind, per round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Switches {
    /// A thread went to sleep.
    pub voluntary: f64,
    /// A thread was made to give way, or yielded.
    pub involuntary: f64,
}

/// What a contended hand-over is made of: on one CPU, and across two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Decomposition {
    /// Both threads on one CPU; `None` if a part of it was refused.
    pub same_cpu: Option<HandOver>,
    /// The threads on two CPUs; `None` with one CPU.
    pub cross_cpu: Option<HandOver>,
    /// Why one of them is missing.
    pub refused: Option<String>,
    /// What the hand-over is made by ("an auto-reset event"); `None`: a futex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// By what other hand-over its parts were found that cannot be timed alone ("a semaphore"); `None`: an eventfd.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtracted_from: Option<String>,
}

/// One hand-over: from the release by one thread until another runs with the lock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandOver {
    /// Measured as a whole, by a ping-pong (of futexes; on Windows, of events). No part is taken from it.
    pub total_ns: Estimate,
    /// What it consists of.
    pub parts: Vec<Share>,
    /// The total less the sum of the parts, round by round. The parts come from calls that neither sleep nor wake, from
    /// yields, and from a hand-over by another mechanism: so this says how well sleeping, waking and the way between CPUs, found by one
    /// mechanism, hold for another. It cannot show an error of the switch alone, which would be missing from the scheduler's
    /// part in turn, nor how the work of a hand-over is divided between the parts found by subtraction.
    pub residual_ns: Estimate,
    /// Other ways to hand over, predicted from the parts in the same manner and measured as a whole.
    pub arms: Vec<Arm>,
    /// Arms that could not be predicted, each with its reason.
    #[serde(default)]
    pub arms_refused: Vec<String>,
}

/// One part of a hand-over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// Stable name: `system-calls`, `switch`, `scheduler`, `crossing`, `idle-exit`.
    pub name: String,
    /// For people: "system calls".
    pub title: String,
    /// How much of the hand-over it is.
    pub ns: Estimate,
    /// How it was found.
    pub formula: String,
    /// Which kind of finding that is.
    #[serde(default)]
    pub found: Found,
}

/// How a part of a hand-over was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// By probes of its own, in which nothing is handed over.
    Measured,
    /// What whole hand-overs (by eventfd; on Windows, by semaphore) leave when the other parts are subtracted: nothing else can be told of it.
    #[default]
    Subtraction,
}

/// An independent check of the decomposition: whether system calls, measured alone, and the sleep, the wake-up and the switch
/// of an eventfd hand-over add up to what another mechanism takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// Stable name: `pipe`, `condvar`, `signal`, `park`.
    pub name: String,
    /// One way, measured as a whole.
    pub measured_ns: Estimate,
    /// The sum of its own system calls and what an eventfd hand-over takes beyond those of its own.
    pub predicted_ns: Estimate,
    /// Measured less predicted.
    pub residual_ns: Estimate,
}

/// One-way costs of a cache line between CPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transfers {
    /// The CPUs, in the order of rows and columns.
    pub cpus: Vec<usize>,
    /// `one_way_ns[from][to]`; `None` on the diagonal and where it was refused.
    pub one_way_ns: Vec<Vec<Option<Estimate>>>,
}

/// The price of going on with a cold cache or TLB.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refill {
    /// The working set that is chased through.
    pub bytes: u64,
    /// What made it cold.
    pub kind: RefillKind,
    /// Added to one pass through the working set after a switch, over a pass without one, in nanoseconds. A pass takes each
    /// cache line once, in an order drawn at random; of large working sets the next 65,536 lines, and of those beyond the
    /// last-level cache, where every line comes from memory anyway, the next 32,768.
    pub added_ns: Option<Estimate>,
    /// Why not.
    pub refused: Option<String>,
}

/// What is told apart in a refill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefillKind {
    /// Two threads on one CPU read the same array on small pages: what the switch itself spoils.
    Shared,
    /// Each thread reads an array of its own: what the other one pushed out of the caches.
    Own,
    /// Each process reads an array of its own at the same addresses: address translations go, too.
    OwnProcess,
    /// As `Own`, on huge pages: what remains without misses in the TLB.
    OwnHugePages,
}

/// A lock's line in the price list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LockPrice {
    /// Its name, as in `locktoll bench --list`.
    #[serde(deserialize_with = "contender::saved_name")]
    pub name: String,
    /// One pair of acquisition and release by one thread, in its processor time, the empty loop subtracted.
    pub uncontended_ns: Option<Estimate>,
    /// It is wall time: the system's account of processor time is too coarse for a short slice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_wall_clock: bool,
    /// System calls in such a pair, counted by stopping at each; `None` where that is not permitted.
    pub kernel_entries_per_op: Option<f64>,
    /// Why there is no figure.
    pub refused: Option<String>,
}

/// Java's locks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Java {
    /// The JDK's version, or `None` where none was found.
    pub version: Option<String>,
    /// Why there are no figures.
    pub refused: Option<String>,
    /// A call of `LockSupport.park` in a ping-pong of two threads (2012's experiment: CLAIMS D1), one way.
    pub park_unpark_ns: Option<Estimate>,
    /// `synchronized`, uncontended.
    pub synchronized_ns: Option<Estimate>,
    /// `ReentrantLock.lock` and `unlock`, uncontended.
    pub reentrant_lock_ns: Option<Estimate>,
}

/// Hardware counters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Whether perf_event_open(2) gives hardware counters here.
    pub available: bool,
    /// Why not, in a sentence.
    pub refused: Option<String>,
    /// Misses in the last-level cache for one switch between threads with working sets of their own.
    pub cache_misses_per_switch: Option<Estimate>,
    /// Misses of the data TLB, as above.
    pub tlb_misses_per_switch: Option<Estimate>,
}

/// How the probes' threads were scheduled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scheduling {
    /// `SCHED_FIFO` or `SCHED_OTHER`; on Windows the priority of threads, `THREAD_PRIORITY_TIME_CRITICAL` or `..._NORMAL`.
    pub policy: String,
    /// Why not the first of them.
    pub refused: Option<String>,
    /// The kernel's cap on real-time threads, share of a second (`sched_rt_runtime_us`), where it matters.
    pub realtime_share: Option<f64>,
}
