//! The result of `advise`: the schema `locktoll.advise/1`.

use serde::{Deserialize, Serialize};

use crate::Made;
use crate::profile::Frame;

/// Remedies for the locks of a program, the most promising first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AdviceResult {
    /// `locktoll.advise/1`.
    pub schema: String,
    /// The version of locktoll that gave the advice.
    pub version: String,
    /// The program that was recorded.
    pub command: Vec<String>,
    /// The recording, if it was given as a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<String>,
    /// When, where and by which version of locktoll the recording was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// How long the recorded run took, nanoseconds.
    pub duration_ns: u64,
    /// The share (0 to 1) of the threads' time that went into waiting for locks.
    pub wait_share: f64,
    /// Whether experiments were interrupted or ran out of time.
    pub partial: bool,
    /// The answer, in a sentence or two.
    pub conclusion: String,
    /// The remedies: those with an expected gain by that gain, then the others, then the locks to leave alone.
    pub remedies: Vec<Remedy>,
    /// Measured numbers of threads, if `--threads-flag` was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sweep: Vec<SweptThreads>,
    /// Further notes for the reader, one sentence each.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// One remedy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Remedy {
    /// What to do.
    pub kind: RemedyKind,
    /// The id of the lock in the recording; `null` if the remedy concerns the whole program.
    pub lock: Option<String>,
    /// The name of the lock.
    pub name: Option<String>,
    /// The place in the program to begin with; `null` if it is not known.
    pub site: Option<Frame>,
    /// The remedy in one sentence, in the imperative.
    pub advice: String,
    /// The figures of the recording that it is based on, and what to check, in sentences.
    pub evidence: String,
    /// The expected gain; `null` if the recording does not show it.
    pub gain: Option<Gain>,
    /// The quantity that the gain is about, such as `acquisitions of log_lock per second`; `null` without a gain.
    pub gain_of: Option<String>,
    /// How the gain was found; `null` without one.
    pub method: Option<AdviceMethod>,
    /// What it costs in code.
    pub cost: String,
    /// The command that tries it; `null` if the code has to be changed first.
    pub command: Option<String>,
}

/// How many times as fast: 1 is no change, and above 1 is better.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Gain {
    /// The expected value.
    pub median: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// What a remedy changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RemedyKind {
    /// A call that blocks moves out of the hold.
    MoveCall,
    /// The lock is not held across a wait for input.
    NoWaitForInput,
    /// The lock is not held while its holder waits for another lock.
    NoNestedWait,
    /// Holds become shorter.
    ShortenHold,
    /// The lock is taken less often.
    TakeLessOften,
    /// The lock becomes several.
    Shard,
    /// A reader-writer lock.
    ReaderWriter,
    /// Another lock algorithm.
    OtherLock,
    /// Fewer threads.
    FewerThreads,
    /// More threads.
    MoreThreads,
    /// Less spinning.
    SpinLess,
    /// More spinning.
    SpinMore,
    /// A broadcast wakes only threads that have something to do.
    WakeFewer,
    /// The lock is not worth touching.
    LeaveAlone,
}

/// How a gain was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AdviceMethod {
    /// No change of this kind can gain more; it may gain nothing.
    Bound,
    /// A model of threads that queue for the lock, with the figures of the recording.
    Model,
    /// It was measured.
    Experiment,
}

/// The program with another number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SweptThreads {
    /// The number of threads.
    pub threads: u32,
    /// Whether this is the number that CMD itself asks for.
    pub is_current: bool,
    /// The metric divided by that with the current number, turned so that above 1 is better; `null` if no run succeeded.
    pub ratio: Option<Gain>,
    /// The rounds that counted.
    pub rounds: usize,
    /// Why there is no figure; left out if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl AdviceResult {
    /// The value of [`schema`](Self::schema).
    pub const SCHEMA: &str = "locktoll.advise/1";

    /// Whether a remedy other than leaving a lock alone is listed.
    #[must_use]
    pub fn is_worthwhile(&self) -> bool {
        self.remedies
            .iter()
            .any(|it| it.kind != RemedyKind::LeaveAlone)
    }
}
