//! The result of `whatif`: the schema `locktoll.whatif/1`.

use std::collections::BTreeMap;

use crate::Made;
use crate::profile::LockKind;
use crate::trial::Metric;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;
use locktoll_lab::stats::Estimate;
use serde::{Deserialize, Serialize};

/// What a program would gain if holds of its locks were shorter.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WhatIfResult {
    /// `locktoll.whatif/1`.
    pub schema: String,
    /// The program that measured.
    pub version: String,
    /// The command that was examined.
    pub command: Vec<String>,
    /// The command that drove it, if it is a server.
    pub load: Option<Vec<String>>,
    /// The metric.
    pub metric: Metric,
    /// When, where and by which version of locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// Where it was measured.
    pub machine: Machine,
    /// The activity of other programs.
    pub noise: Noise,
    /// Whether it was interrupted or ran out of time before the planned rounds were complete.
    pub partial: bool,
    /// The planned number of rounds; each lock's estimates have the number that counted.
    pub rounds: usize,
    /// The announced time limit, in nanoseconds.
    pub announced_ns: u64,
    /// The time that it took, in nanoseconds.
    pub taken_ns: u64,
    /// The locks, by the waiting time in the recorded run, largest first.
    pub locks: Vec<WhatIfLock>,
    /// What was measured.
    pub experiments: Vec<Experiment>,
    /// The conclusion, in a sentence.
    pub conclusion: String,
    /// Further notes for the reader, one sentence each.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// One lock, and what shorter holds of it would gain.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WhatIfLock {
    /// Its id in a recording.
    pub lock: String,
    /// Its name there.
    pub name: String,
    /// Its kind.
    pub kind: LockKind,
    /// The share (0 to 1) of the threads' time that went into waiting for it in the recorded run.
    pub wait_share: f64,
    /// Whether no other lock was waited for longer in the recorded run.
    pub is_longest_wait: bool,
    /// By the percentage by which holds are shortened ("10", "25", "50"): the expected metric divided by today's, turned so that
    /// above 1 is better. Empty if nothing could be measured.
    pub gains: BTreeMap<String, Estimate>,
    /// The experiment that the gains come from: `fast` or `slow`. `null` if nothing could be measured.
    #[serde(default)]
    pub by: Option<Method>,
    /// The gains by each experiment.
    #[serde(default)]
    pub by_method: Vec<ByMethod>,
    /// Whether both experiments agree, within their intervals. `null` if only one was made.
    #[serde(default)]
    pub agree: Option<bool>,
    /// How much longer the program takes, as a share of its time, if every hold takes 100 % longer: the slope at zero.
    pub slope: Option<Estimate>,
    /// By how much the slope changes between no change and holds of twice the length: 0 if the response is linear. `null` with
    /// fewer than two lengths.
    pub bend: Option<Estimate>,
    /// Whether the response is bent for certain. The slope is then the one at zero, and has a wider interval.
    pub is_bent: bool,
    /// How the gains were found: `fast` (all other threads were delayed while the lock was held), `slow` (holds were lengthened), `bound` (the processors, or the threads themselves, limit the gain).
    pub method: Vec<Method>,
    /// The verdict.
    pub verdict: WhatIfVerdict,
    /// The smallest gain, in per cent of the metric with holds of half the length, that these rounds could have shown.
    pub detectable_percent: Option<f64>,
    /// Why there is no figure, or why it is to be read with care.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The gains by one experiment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ByMethod {
    /// `fast` or `slow`.
    pub method: Method,
    /// As in [`WhatIfLock::gains`].
    pub gains: BTreeMap<String, Estimate>,
    /// The verdict by this experiment alone.
    pub verdict: WhatIfVerdict,
}

/// How a gain was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By delaying all other threads while the lock is held, and subtracting the delays.
    Fast,
    /// By lengthening holds, and continuing the line to shorter ones.
    Slow,
    /// Limited by the time that the processors or the threads need anyway.
    Bound,
}

/// What shorter holds of a lock would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhatIfVerdict {
    /// The metric improves.
    Gains,
    /// With holds of half the length, the metric improves by less than 5 per cent, if at all.
    NoEffect,
    /// The rounds differ by more than the effect.
    CannotTell,
}

/// One change, measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Experiment {
    /// The lock's id.
    pub lock: String,
    /// The change of its holds: `+20%`, `-25%`. `+0%` and `-0%` are the program under the same library against itself: the noise.
    pub change: String,
    /// The metric divided by that without a change in the same round; without the delays of `-P%`.
    pub ratio_to_bare: Estimate,
}

impl WhatIfResult {
    /// The value of [`schema`](Self::schema).
    pub const SCHEMA: &str = "locktoll.whatif/1";
}
