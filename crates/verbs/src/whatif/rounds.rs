//! What the runs have measured.

use locktoll_results::trial::Better;

use super::change::Direction;

/// A run that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The metric.
    pub metric: f64,
    /// Wall time of the program, in nanoseconds.
    pub wall_ns: u64,
    /// CPU time of the program, in nanoseconds.
    pub cpu_ns: u64,
    /// The share (0 to 1) of the measured time by which threads were delayed: the program would have taken so much less.
    pub delays: f64,
}

impl Measured {
    /// Returns the metric as a time for the same work, without the delays: less is better.
    pub fn time(&self, better: Better) -> f64 {
        let time = match better {
            Better::Lower => self.metric,
            Better::Higher => 1.0 / self.metric,
        };
        time * (1.0 - self.delays)
    }
}

/// One round: the program twice without a change, and once with each change.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Without a change.
    pub base: [Measured; 2],
    /// With each change, in the order of the percentages.
    pub changed: Vec<Measured>,
}

/// A lock whose holds are changed in one direction, and its rounds.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// The lock's place among those that are examined.
    pub lock: usize,
    /// Longer or shorter.
    pub direction: Direction,
    /// The changes, in per cent, ascending.
    pub percents: Vec<u32>,
    /// Complete rounds.
    pub rounds: Vec<Round>,
    /// Why the experiment was given up, if it was.
    pub dropped: Option<String>,
}

impl Rounds {
    /// Returns an experiment that has not begun.
    pub fn new(lock: usize, direction: Direction, percents: Vec<u32>) -> Self {
        Self {
            lock,
            direction,
            percents,
            rounds: Vec::new(),
            dropped: None,
        }
    }
}
