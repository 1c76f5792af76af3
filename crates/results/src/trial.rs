//! The result of `try`: the schema `locktoll.try/1`.

use crate::Made;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;
use locktoll_lab::stats::Estimate;
use serde::{Deserialize, Serialize};

/// A program's run on other locks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrialResult {
    /// `locktoll.try/1`.
    pub schema: String,
    /// The program that measured.
    pub version: String,
    /// The command that was tried.
    pub command: Vec<String>,
    /// The command that drove it, where it is a server.
    pub load: Option<Vec<String>>,
    /// What was compared.
    pub metric: Metric,
    /// The lock or site that alone was replaced (`--only`), as the recording names it.
    pub only: Option<Only>,
    /// When, where and by which locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// Where it was measured.
    pub machine: Machine,
    /// What else went on.
    pub noise: Noise,
    /// True when the run was interrupted.
    pub partial: bool,
    /// Rounds of all candidates that count: the warm-up and the final left out.
    pub rounds: usize,
    /// Rounds of the final, in which bare and the most promising candidate ran alone; 0 where there was none.
    #[serde(default)]
    pub final_rounds: usize,
    /// What was announced beforehand as the longest that it could take, in nanoseconds.
    pub announced_ns: u64,
    /// What it took, in nanoseconds.
    pub taken_ns: u64,
    /// Bare against bare: what equal things differ by here. Above 1, the second came out greater.
    pub same_against_same: Option<Estimate>,
    /// One row a candidate; `bare` first, then `pass-through`, then in the order of the verdict and ratio.
    pub results: Vec<TrialRow>,
    /// The best candidate, if any is better than bare.
    pub best: Option<Best>,
    /// The sentence that says what it means.
    pub conclusion: String,
    /// What a reader should know besides, one sentence each: candidates that were left out, an exit code that varies.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// What was compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Where its value comes from.
    pub source: MetricSource,
    /// The regular expression whose first group it is, where it is read from an output.
    pub pattern: Option<String>,
    /// Whether more or less of it is better.
    pub better: Better,
}

/// Where a metric's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricSource {
    /// The wall time of the command, or of the load where there is one, in nanoseconds.
    WallTime,
    /// The output of the command, or of the load where there is one.
    Output,
}

/// Whether more or less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// As of throughput.
    Higher,
    /// As of time.
    Lower,
}

/// The lock that alone was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Only {
    /// Its id in a recording.
    pub id: String,
    /// Its name there.
    pub name: String,
}

/// One candidate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrialRow {
    /// `bare`, or the candidate's name.
    pub lock: String,
    /// One line on what it is.
    pub summary: String,
    /// Whether its waiters do nothing but spin.
    pub is_pure_spinner: bool,
    /// The metric over the runs that count; nanoseconds where it is wall time.
    pub metric: Option<Estimate>,
    /// The metric over that of bare in the same round; of a finalist, in the rounds of the final alone, since those before chose
    /// it and so flatter it. `None` of bare itself, or where nothing could be compared.
    pub ratio_to_bare: Option<Estimate>,
    /// What the ratio says, with regard to how many candidates were compared and to what bare against bare shows; `faster` is
    /// better, whichever way the metric points. `None` of bare itself and of what failed.
    pub verdict: Option<Verdict>,
    /// Where the verdict is `not_judged`: the rounds that it takes to find a difference among so many candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds_needed: Option<usize>,
    /// Processor time of the runs, user and system, children included, in nanoseconds.
    pub cpu_ns: Option<Estimate>,
    /// That over the processor time of bare in the same rounds as [`ratio_to_bare`](Self::ratio_to_bare).
    pub cpu_ratio: Option<Estimate>,
    /// Whether it ran in the final.
    #[serde(default)]
    pub is_finalist: bool,
    /// What was replaced. `None` of bare.
    pub coverage: Option<Coverage>,
    /// Why it was not run to the end.
    pub dropped: Option<Dropped>,
    /// What else is to be known of it, a sentence each: what a lock that cannot time out does instead, and the like.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// What the rounds say of a candidate against bare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Better than bare.
    Faster,
    /// Worse than bare.
    Slower,
    /// No detectable difference: not proof that they are equal.
    NoDifference,
    /// There were too few rounds for any verdict, whatever the figures: `rounds_needed` says how many it takes.
    NotJudged,
}

/// What a candidate replaced, and what not: sums over the processes of one run, the last that was whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// Objects that were replaced: mutexes, condition variables, reader-writer locks, spin locks.
    pub locks_replaced: u64,
    /// The same by their kinds, without those of which there was none.
    pub replaced: Vec<Replaced>,
    /// Objects that were left to the C library, and why.
    pub locks_passed_through: Vec<PassedThrough>,
    /// Share (0 to 1) of the time that threads of a recorded run were blocked on locks which this candidate replaces. `None`
    /// where no run was recorded, or nobody was blocked.
    pub blocked_time_covered: Option<f64>,
}

/// Objects of one kind that were replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// Of which kind.
    pub kind: ObjectKind,
    /// How many.
    pub count: u64,
}

/// What can be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct PassedThrough {
    /// Why.
    pub reason: String,
    /// How many.
    pub count: u64,
}

/// Why a candidate was not run to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// In which round; 0 is the warm-up.
    pub round: usize,
    /// What happened.
    #[serde(flatten)]
    pub why: WhyDropped,
}

/// What happened to a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum WhyDropped {
    /// Clearly worse: its interval lay wholly on the wrong side, far from bare.
    ClearlyWorse,
    /// The program was ended by a signal that it is not under bare.
    Signal {
        /// Its number.
        number: i32,
        /// Its name, `SIGSEGV`.
        name: String,
        /// The end of its standard error, if it said anything.
        said: Option<String>,
    },
    /// The program ended with an exit code that it has not under bare.
    ExitCode {
        /// The code.
        code: i32,
        /// The end of its standard error.
        said: Option<String>,
    },
    /// The program was not done within the limit of time, and was ended.
    TimeLimit {
        /// The limit in nanoseconds.
        limit_ns: u64,
    },
    /// The load failed, or said nothing that the pattern finds.
    Load {
        /// What was wrong.
        reason: String,
    },
    /// The library could not do what it was told.
    NotReplaced {
        /// What was wrong.
        reason: String,
    },
}

/// The best candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// Its name.
    pub lock: String,
    /// Its metric over that of bare in the rounds of the final, which had no part in choosing it. Where one lock alone was tried
    /// besides the pass-through, nothing was chosen: then of all rounds.
    pub ratio_to_bare: Estimate,
    /// Processor time over that of bare in the same rounds.
    pub cpu_ratio: Option<Estimate>,
}

impl TrialResult {
    /// What [`schema`](Self::schema) says.
    pub const SCHEMA: &str = "locktoll.try/1";
}
