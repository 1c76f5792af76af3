//! The settings of a tournament.

use std::time::Duration;

use locktoll_results::trial::Metric;

/// The candidate that replaces nothing.
pub const PASS_THROUGH: &str = "pass-through";

/// How long a tournament may take by default.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(600);

/// The input of a tournament.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The candidates that play against bare: the pass-through first, then by importance, since the last are left out if time is
    /// short.
    pub candidates: Vec<Candidate>,
    /// The metric that is compared.
    pub metric: Metric,
    /// The number of rounds of all candidates that the user asked for, if any.
    pub rounds: Option<usize>,
    /// The time that the tournament must never exceed.
    pub time_limit: Duration,
    /// The seed from which the order of the runs is drawn.
    pub seed: u64,
}

/// A candidate: a lock that is put under the program, or the pass-through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name, in the form that [`Runner`](super::Runner) accepts.
    pub name: String,
    /// A one-line description.
    pub summary: String,
    /// Whether its waiters only spin and never sleep.
    pub is_pure_spinner: bool,
    /// Further remarks for its row.
    pub remarks: Vec<String>,
}
