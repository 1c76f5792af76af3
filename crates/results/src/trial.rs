//! The result of `try`: the schema `locktoll.try/1`.

use crate::Made;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;
use locktoll_lab::stats::Estimate;
use serde::{Deserialize, Serialize};

/// A program's run on other locks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TrialResult {
    /// `locktoll.try/1`.
    pub schema: String,
    /// The program that measured.
    pub version: String,
    /// The command that was tried.
    pub command: Vec<String>,
    /// The command that drove it, if it is a server.
    pub load: Option<Vec<String>>,
    /// The metric.
    pub metric: Metric,
    /// The lock or site that alone was replaced (`--only`), as the recording names it.
    pub only: Option<Only>,
    /// When, where and by which version of locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// Where it was measured.
    pub machine: Machine,
    /// The activity of other programs.
    pub noise: Noise,
    /// True when the run was interrupted.
    pub partial: bool,
    /// Rounds of all candidates that count, without the warm-up and the final.
    pub rounds: usize,
    /// Rounds of the final, in which bare and the most promising candidate ran alone; 0 if there was none.
    #[serde(default)]
    pub final_rounds: usize,
    /// The announced time limit, in nanoseconds.
    pub announced_ns: u64,
    /// The time that it took, in nanoseconds.
    pub taken_ns: u64,
    /// Bare against bare: the noise. Above 1, the second result was greater.
    pub same_against_same: Option<Estimate>,
    /// One row per candidate; `bare` first, then `pass-through`, then in the order of the verdict and ratio.
    pub results: Vec<TrialRow>,
    /// The best candidate, if any is better than bare.
    pub best: Option<Best>,
    /// The conclusion, in a sentence.
    pub conclusion: String,
    /// Further notes for the reader, one sentence each: candidates that were left out, an exit code that varies.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// The metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Where its value comes from.
    pub source: MetricSource,
    /// The regular expression whose first group is the value, if it is read from an output.
    pub pattern: Option<String>,
    /// Whether more or less of it is better.
    pub better: Better,
}

/// Where a metric's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MetricSource {
    /// The wall time of the command, or of the load if there is one, in nanoseconds.
    WallTime,
    /// The output of the command, or of the load if there is one.
    Output,
}

/// Whether more or less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Higher is better (throughput).
    Higher,
    /// Lower is better (time).
    Lower,
}

/// The only lock that was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Only {
    /// Its id in a recording.
    pub id: String,
    /// Its name there.
    pub name: String,
}

/// One candidate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TrialRow {
    /// `bare`, or the candidate's name.
    pub lock: String,
    /// Its description in one line.
    pub summary: String,
    /// Whether its waiters only spin.
    pub is_pure_spinner: bool,
    /// The metric over the runs in the same rounds as [`ratio_to_bare`](Self::ratio_to_bare), for bare over its runs before the
    /// final; in nanoseconds if it is wall time.
    pub metric: Option<Estimate>,
    /// The metric divided by that of bare in the same round. For a finalist, only the rounds of the final count, since the rounds
    /// before chose it and so flatter it. `None` for bare itself, or if nothing could be compared.
    pub ratio_to_bare: Option<Estimate>,
    /// The verdict on the ratio, which takes the number of candidates and bare against bare into account; `faster` is better,
    /// whichever way the metric points. `None` for bare itself and for candidates that failed.
    pub verdict: Option<Verdict>,
    /// If the verdict is `not_judged`: the rounds that are needed to find a difference among this many candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds_needed: Option<usize>,
    /// CPU time of the same runs, user and system, children included, in nanoseconds.
    pub cpu_ns: Option<Estimate>,
    /// The CPU time divided by that of bare in the same rounds as [`ratio_to_bare`](Self::ratio_to_bare).
    pub cpu_ratio: Option<Estimate>,
    /// Whether it ran in the final.
    #[serde(default)]
    pub is_finalist: bool,
    /// The replaced objects. `None` for bare.
    pub coverage: Option<Coverage>,
    /// Why it was not run to the end.
    pub dropped: Option<Dropped>,
    /// Further notes on it, one sentence each, for example on a lock that cannot time out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// The verdict of the rounds on a candidate relative to bare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Better than bare.
    Faster,
    /// Worse than bare.
    Slower,
    /// No detectable difference: not proof that they are equal.
    NoDifference,
    /// There were too few rounds for any verdict, whatever the figures: `rounds_needed` is the number that is needed.
    NotJudged,
}

/// The objects that a candidate replaced, and those that it did not: sums over the processes of the last complete run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// Objects that were replaced: mutexes, condition variables, reader-writer locks, spin locks.
    pub locks_replaced: u64,
    /// The same by kind, without kinds that did not occur.
    pub replaced: Vec<Replaced>,
    /// Objects that were left to the C library, and why.
    pub locks_passed_through: Vec<PassedThrough>,
    /// The share (0 to 1) of the time for which threads of a recorded run were blocked on locks that this candidate replaces.
    /// `None` if no run was recorded, or no thread was blocked.
    pub blocked_time_covered: Option<f64>,
    /// For a candidate with `+slice`: what became of its requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice_extension: Option<SliceExtension>,
}

/// Threads that have held a mutex of a candidate with `+slice`, and the time slice extensions (rseq(2)) that they were granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SliceExtension {
    /// Threads that could request extensions.
    pub threads: u64,
    /// Threads that could not: the C library has registered no area for them, or an area without the extension.
    pub threads_without: u64,
    /// Extensions that were granted and that a thread gave back at its last release. Those that the kernel ended itself are not
    /// seen.
    pub given_back: u64,
}

/// Objects of one kind that were replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Replaced {
    /// The kind.
    pub kind: ObjectKind,
    /// Their number.
    pub count: u64,
}

/// The kinds of objects that can be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ObjectKind {
    /// `pthread_mutex_t`, `mtx_t`.
    Mutex,
    /// `pthread_cond_t`, `cnd_t`.
    ConditionVariable,
    /// `pthread_rwlock_t`.
    ReaderWriterLock,
    /// `pthread_spinlock_t`.
    SpinLock,
}

/// Objects that were left to the C library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PassedThrough {
    /// Why.
    pub reason: String,
    /// Their number.
    pub count: u64,
}

/// Why a candidate was not run to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Dropped {
    /// In which round; 0 is the warm-up.
    pub round: usize,
    /// The reason.
    #[serde(flatten)]
    pub why: WhyDropped,
}

/// The reason why a candidate was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum WhyDropped {
    /// Clearly worse: its interval was wholly on the wrong side, far from bare.
    ClearlyWorse,
    /// A signal ended the program, which does not happen under bare.
    Signal {
        /// Its number.
        number: i32,
        /// Its name, `SIGSEGV`.
        name: String,
        /// The end of its standard error, if there is any.
        said: Option<String>,
    },
    /// The program ended with an exit code that it does not have under bare.
    ExitCode {
        /// The code.
        code: i32,
        /// The end of its standard error.
        said: Option<String>,
    },
    /// The program had not finished within the time limit, and was ended.
    TimeLimit {
        /// The limit in nanoseconds.
        limit_ns: u64,
    },
    /// The load failed, or its output did not match the pattern.
    Load {
        /// The fault.
        reason: String,
    },
    /// The library could not replace the locks.
    NotReplaced {
        /// What was wrong.
        reason: String,
    },
}

/// The best candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Best {
    /// Its name.
    pub lock: String,
    /// Its metric divided by that of bare in the rounds of the final, which had no part in choosing it. If only one lock was
    /// tried besides the pass-through, nothing was chosen, and all rounds count.
    pub ratio_to_bare: Estimate,
    /// CPU time divided by that of bare in the same rounds.
    pub cpu_ratio: Option<Estimate>,
}

impl TrialResult {
    /// The value of [`schema`](Self::schema).
    pub const SCHEMA: &str = "locktoll.try/1";
}
