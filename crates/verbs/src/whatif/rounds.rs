//! What the runs of one lock have measured.

use locktoll_results::trial::Better;

/// A run that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The metric.
    pub metric: f64,
    /// Wall time of the program, in nanoseconds.
    pub wall_ns: u64,
    /// CPU time of the program, in nanoseconds.
    pub cpu_ns: u64,
}

impl Measured {
    /// Returns the metric as a time for the same work: less is better.
    pub fn time(&self, better: Better) -> f64 {
        match better {
            Better::Lower => self.metric,
            Better::Higher => 1.0 / self.metric,
        }
    }
}

/// One round: the program twice without a change, and once with each length.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Without a change.
    pub base: [Measured; 2],
    /// With each length, in the order of the lengths.
    pub longer: Vec<Measured>,
}

/// The rounds of one lock.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    /// The lengths, in per cent, ascending.
    pub percents: Vec<u32>,
    /// Complete rounds.
    pub rounds: Vec<Round>,
    /// Why the lock was given up, if it was.
    pub dropped: Option<String>,
}
