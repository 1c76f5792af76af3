//! The result of a tournament.

use locktoll_lab::stats::Estimate;

use locktoll_results::trial::{Best, Metric, TrialRow, WhyDropped};

/// The result of a tournament: the parts of a [`TrialResult`](locktoll_results::trial::TrialResult) with the same names.
/// [`conclusion`](super::conclusion()) turns it into sentences.
#[derive(Clone, Debug)]
pub struct Played {
    /// The metric that was compared.
    pub metric: Metric,
    /// Rounds of all candidates that count.
    pub rounds: usize,
    /// Rounds of the final.
    pub final_rounds: usize,
    /// Duration of the tournament, in nanoseconds.
    pub taken_ns: u64,
    /// Why the tournament ended early, if it did.
    pub ended_early: Option<EndedEarly>,
    /// Ratio of two bare runs in a round: above 1, the second gave the greater figure.
    pub same_against_same: Option<Estimate>,
    /// `bare`, then the pass-through, then the locks, the best first.
    pub results: Vec<TrialRow>,
    /// The best lock, if any is better than bare.
    pub best: Option<Best>,
    /// The most promising lock if no final has decided: its name and its ratio, which is biased in its favour.
    pub promising: Option<(String, Estimate)>,
    /// Further facts that the reader should know.
    pub remarks: Vec<String>,
}

impl Played {
    /// Whether the tournament ended early.
    pub fn partial(&self) -> bool {
        self.ended_early.is_some()
    }
}

/// Why a tournament ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndedEarly {
    /// The user has asked to stop.
    Interrupted,
    /// The time limit was reached.
    OutOfTime,
    /// The program failed on its own locks.
    BareFailed(WhyDropped),
}
