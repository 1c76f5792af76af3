//! The settings of a tournament.

use std::time::Duration;

use locktoll_results::trial::Metric;

/// The candidate that replaces nothing.
pub const PASS_THROUGH: &str = "pass-through";

/// The longest that a tournament takes where the user says nothing.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(600);

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The candidates that play against bare: the pass-through first, then by importance, since the last are left out where time is short.
    pub candidates: Vec<Candidate>,
    /// What is compared.
    pub metric: Metric,
    /// Rounds of all candidates that the user wants, if any.
    pub rounds: Option<usize>,
    /// What it must never take longer than.
    pub time_limit: Duration,
    /// What the order of the runs is drawn from.
    pub seed: u64,
}

/// A candidate: a lock that is put under the program, or the pass-through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name, as [`Runner`](super::Runner) takes it.
    pub name: String,
    /// One line on what it is.
    pub summary: String,
    /// Whether its waiters do nothing but spin.
    pub is_pure_spinner: bool,
    /// What else its row is to say.
    pub remarks: Vec<String>,
}
