//! The schema of holder preemption, a part of `locktoll.profile/1`.

use serde::{Deserialize, Serialize};

use super::frame::Frame;

/// The source of the knowledge that holders did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PreemptionSource {
    /// Every context switch was examined in the kernel.
    SchedSwitch,
    /// The recorder's own timed holds: the context switches of holds that are long enough to ask the kernel about, and holds that
    /// took many times as long as others.
    Estimate,
}

/// How often and how long holders of a lock were preempted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HolderPreemption {
    /// The source of the figures.
    pub source: PreemptionSource,
    /// How often a holder was preempted. An estimate also counts holders that yield, and holds that seem to have been
    /// interrupted.
    pub count: u64,
    /// The total time, nanoseconds. An estimate only includes holds in which the holder never blocked.
    pub total_ns: u64,
    /// The longest time, nanoseconds; `null` in an estimate.
    pub max_ns: Option<u64>,
    /// Times by their length: entry `i` counts those from 2^i up to 2^(i+1) ns, without trailing zeros; `null` in an estimate.
    pub log2: Option<Vec<u64>>,
    /// Times that a holder gave its processor up by sched_yield(2); `null` in an estimate, which cannot distinguish them.
    pub yielded: Option<OffCpuTimes>,
    /// Times that a holder waited for something else; `null` in an estimate (`while_held` has the known figures).
    pub blocked: Option<OffCpuTimes>,
    /// Time in which a holder had a processor according to the scheduler and made no progress: the hypervisor had taken the
    /// processor away, or the kernel served interrupts. A lower bound: it is only seen in holds that go on from one context
    /// switch to the next. `null` in an estimate.
    pub stolen: Option<OffCpuTimes>,
    /// Waiting of other threads while a holder was preempted, nanoseconds; `null` in an estimate.
    pub waited_meanwhile_ns: Option<u64>,
    /// `waited_meanwhile_ns` as a share of all waiting for the lock; `null` if no thread waited or if it is not known.
    pub share_of_wait: Option<f64>,
    /// Holds on which an estimate is based; `null` if every context switch was examined.
    pub examined: Option<u64>,
    /// Where preempted holders had acquired it, by time, longest first; empty in an estimate.
    pub sites: Vec<PreemptedSite>,
    /// The threads that waited in that time, by time, longest first; empty in an estimate.
    pub waiters: Vec<PreemptedWaiter>,
}

/// The number and length of some times off the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OffCpuTimes {
    /// The number of times.
    pub count: u64,
    /// The total time, nanoseconds.
    pub total_ns: u64,
    /// The longest time, nanoseconds.
    pub max_ns: u64,
}

/// A place whose holders were preempted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PreemptedSite {
    /// Where they had acquired the lock, innermost frame first. Empty if not known.
    pub frames: Vec<Frame>,
    /// The number of preemptions.
    pub count: u64,
    /// The total time, nanoseconds.
    pub total_ns: u64,
    /// The longest time, nanoseconds.
    pub max_ns: u64,
}

/// A thread that waited at one place while holders were preempted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PreemptedWaiter {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Where it waited, innermost frame first. Empty if not known.
    pub frames: Vec<Frame>,
    /// How many times it was seen to wait in that time.
    pub count: u64,
    /// The total time, nanoseconds.
    pub wait_ns: u64,
    /// The longest time, nanoseconds.
    pub max_ns: u64,
}

/// Holder preemption of all locks together. A thread that holds two locks counts for both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PreemptionTotal {
    /// As in [`HolderPreemption`].
    pub source: PreemptionSource,
    /// As in [`HolderPreemption`]; `null` if no lock's holder is known.
    pub count: Option<u64>,
    /// As in [`HolderPreemption`]; `null` as `count`.
    pub total_ns: Option<u64>,
    /// As in [`HolderPreemption`]; `null` as `count`, too.
    pub waited_meanwhile_ns: Option<u64>,
    /// `waited_meanwhile_ns` as a share of all waiting for locks whose holders are known; `null` if no thread waited for them.
    pub share_of_wait: Option<f64>,
    /// Waiting for locks whose holders are not known, nanoseconds; `null` in an estimate.
    #[serde(default)]
    pub unknown_holders_wait_ns: Option<u64>,
    /// Threads whose context switches were examined; `null` in an estimate.
    pub threads: Option<u64>,
    /// The losses; `null` in an estimate.
    pub dropped: Option<PreemptionDropped>,
}

/// The losses of the watch. If all except `unseen` are zero, nothing is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PreemptionDropped {
    /// Times that a holder did not run for which there was no room.
    pub unkept: u64,
    /// Waiting in that time for which there was no room.
    pub waits_unkept: u64,
    /// Times that a thread's list of locks could not be read, because its memory was not present.
    pub unread: u64,
    /// Locks beyond the first few that a thread held at once.
    pub too_many_held: u64,
    /// Threads that could not register their list.
    pub unregistered: u64,
    /// Times that a thread came back to a processor unseen. The moment was then computed from the time that it had run since.
    pub unseen: u64,
}
