//! The result of a tournament.

use locktoll_lab::stats::Estimate;

use locktoll_results::trial::{Best, Metric, TrialRow, WhyDropped};

/// The result of a tournament: the parts of a [`TrialResult`](locktoll_results::trial::TrialResult) of the same names.
/// [`conclusion`](super::conclusion()) makes the sentence of it.
#[derive(Clone, Debug)]
pub struct Played {
    /// What was compared.
    pub metric: Metric,
    /// Rounds of all candidates that count.
    pub rounds: usize,
    /// Rounds of the final.
    pub final_rounds: usize,
    /// What it took, in nanoseconds.
    pub taken_ns: u64,
    /// Why it ended before its time, if it did.
    pub ended_early: Option<EndedEarly>,
    /// Bare against bare: above 1, the second came out greater.
    pub same_against_same: Option<Estimate>,
    /// `bare`, the pass-through, then the best first.
    pub results: Vec<TrialRow>,
    /// The best, if any is better than bare.
    pub best: Option<Best>,
    /// The most promising where no final has decided on it: its name and ratio, which flatters it.
    pub promising: Option<(String, Estimate)>,
    /// What a reader should know besides.
    pub remarks: Vec<String>,
}

impl Played {
    /// Whether it ended before its time.
    pub fn partial(&self) -> bool {
        self.ended_early.is_some()
    }
}

/// Why a tournament ended before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndedEarly {
    /// The user has asked to stop.
    Interrupted,
    /// The bound on its time was reached.
    OutOfTime,
    /// The program failed by itself, on its own locks.
    BareFailed(WhyDropped),
}
