//! Everything that was measured: the figures of each round, by setting and lock.

use std::collections::HashMap;
use std::time::Duration;

use locktoll_lab::machine::Machine;
use locktoll_lab::stats::Estimate;

use super::lines::{Figure, Setting};

/// A lock's figure in each round; `None` where a round gave none.
pub type Rounds = Vec<Option<f64>>;

#[derive(Debug, Default)]
pub struct Measured {
    pub rounds: HashMap<(Setting, Figure, String), Rounds>,
    /// What was wrong with a lock in a setting.
    pub problems: HashMap<(Setting, String), String>,
    /// The subject against itself.
    pub same_twice: HashMap<Setting, Estimate>,
    /// How long the slices that time acquisitions are, in nanoseconds.
    pub waiting_slice_ns: Option<f64>,
    /// Where it was measured, if anything was.
    pub machine: Option<Machine>,
    /// The most that others used of the machine's CPU time, or the hypervisor took, during any run of `locktoll bench`.
    pub taken: f64,
    /// What the machine was disturbed by, a line each.
    pub warnings: Vec<String>,
    /// Runs that failed, a line each: their cells have no figures.
    pub failures: Vec<String>,
    pub took: Duration,
}

impl Measured {
    pub fn add(&mut self, setting: Setting, figure: Figure, lock: &str, rounds: Rounds) {
        self.rounds
            .insert((setting, figure, lock.to_owned()), rounds);
    }

    /// The rounds of a lock; none if it was not measured there.
    pub fn of(&self, setting: &Setting, figure: Figure, lock: &str) -> Rounds {
        let key = (*setting, figure, lock.to_owned());
        self.rounds.get(&key).cloned().unwrap_or_default()
    }
}
