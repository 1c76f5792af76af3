//! The profile itself: the schema `locktoll.profile/1`.
//!
//! Times are nanoseconds. A figure that was not measured is `null`, never zero.

use locktoll_lab::stats::Estimate;
use serde::{Deserialize, Serialize};

use super::alert::Alert;
use super::lock::Lock;
use super::order::LockOrder;
use super::preemption::PreemptionTotal;
use super::recorder::{Dropped, Recorder};
use super::spinning::{SpinSamples, Spinning};
use super::thread::{Process, Thread, ThreadTime};
use super::timeline::{self, Timeline};
use crate::Made;

/// The name of the schema.
pub const SCHEMA: &str = "locktoll.profile/1";

/// The profile of the locks of a program and of the processes it started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Profile {
    /// [`SCHEMA`].
    pub schema: String,
    /// When, where and by which version of locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// How it was observed. A document without it describes a recording.
    #[serde(default, skip_serializing_if = "Source::is_record")]
    pub source: Source,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// From the first process's start to the last one's end, nanoseconds.
    pub duration_ns: u64,
    /// User time of all processes recorded, nanoseconds, as far as they reported it before they ended; `null` if none did.
    pub user_ns: Option<u64>,
    /// Kernel time, as `user_ns`.
    pub system_ns: Option<u64>,
    /// Voluntary context switches, as `user_ns`.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches, as `user_ns`.
    pub involuntary_switches: Option<u64>,
    /// Those of the involuntary switches that came from sched_yield(2), as for a thread; of all threads that were seen.
    #[serde(default)]
    pub yields: Option<u64>,
    /// Threads seen, all processes together.
    pub threads: u64,
    /// The lifetimes of those threads and of the threads that are not listed, added up, nanoseconds. Shares of waiting are shares of this.
    /// 0 if it is not known; a warning then says why.
    pub thread_time_ns: u64,
    /// Time spent waiting for locks, all threads and locks together, nanoseconds.
    pub wait_ns: u64,
    /// Time spent waiting for events, all threads together, nanoseconds.
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
    /// Preempted holders, all locks together; `null` if nothing is known about them.
    #[serde(default)]
    pub preemption: Option<PreemptionTotal>,
    /// The order in which threads acquire locks while they hold others; left out if it was not noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<LockOrder>,
    /// CPU time spent in busy waiting, all threads together, nanoseconds: an estimate from samples with its 95 % interval. `null`
    /// if it was not looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin_cpu_ns: Option<Estimate>,
    /// The samples behind it; left out if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin_samples: Option<SpinSamples>,
    /// Busy waiting by place and word, by CPU time, largest first. Left out if it was not looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spinning: Vec<Spinning>,
    /// Alerts that were raised while the program ran, in their order; left out if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alerts: Vec<Alert>,
    /// Which thread held and awaited which lock, and when; left out if that was not recorded. A document has its last
    /// 500,000 events at most: see `kept`.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "timeline::serialize"
    )]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<Box<Timeline>>"))]
    pub timeline: Option<Box<Timeline>>,
    /// The losses.
    pub dropped: Dropped,
    /// Notes that the reader of the figures needs, in plain sentences.
    pub warnings: Vec<String>,
    /// Every lock, by waiting time (including waits that had not ended), largest first; objects used for events follow the locks that were waited for.
    pub locks: Vec<Lock>,
}

impl Profile {
    /// Returns the profile with other locks and another timeline. Its own, which may be long, are not copied.
    #[must_use]
    pub fn with(&self, locks: Vec<Lock>, timeline: Option<Box<Timeline>>) -> Self {
        Self {
            schema: self.schema.clone(),
            made: self.made.clone(),
            source: self.source,
            command: self.command.clone(),
            duration_ns: self.duration_ns,
            user_ns: self.user_ns,
            system_ns: self.system_ns,
            voluntary_switches: self.voluntary_switches,
            involuntary_switches: self.involuntary_switches,
            yields: self.yields,
            threads: self.threads,
            thread_time_ns: self.thread_time_ns,
            wait_ns: self.wait_ns,
            signal_wait_ns: self.signal_wait_ns,
            time: self.time.clone(),
            per_thread: self.per_thread.clone(),
            processes: self.processes.clone(),
            modules: self.modules.clone(),
            recorder: self.recorder.clone(),
            preemption: self.preemption.clone(),
            order: self.order.clone(),
            spin_cpu_ns: self.spin_cpu_ns,
            spin_samples: self.spin_samples.clone(),
            spinning: self.spinning.clone(),
            alerts: self.alerts.clone(),
            timeline,
            dropped: self.dropped.clone(),
            warnings: self.warnings.clone(),
            locks,
        }
    }
}

/// How a program was observed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The recorder in the program: every acquisition, hold and wait.
    #[default]
    Record,
    /// The kernel, for a running program: waits that entered the kernel. Acquisitions, holds and spinning are not seen.
    Attach,
}

impl Source {
    /// Whether it is a recording.
    #[must_use]
    pub fn is_record(&self) -> bool {
        *self == Self::Record
    }
}

/// A code file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Module {
    /// Its path, as used in frames.
    pub path: String,
    /// Its GNU build id in hexadecimal, as `file` and debuginfod write it, as far as the recording had room for; `null` if
    /// it has none, or if processes had different files at this path.
    pub build_id: Option<String>,
}
