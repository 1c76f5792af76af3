//! What no shorter hold can exceed.
//!
//! The line through longer holds cannot show that something else becomes the bottleneck once the holds are shorter. One such thing
//! is known without an experiment: the processors have to do the rest of the work.

use locktoll_results::profile::Lock;

use super::rounds::Rounds;

/// The limit of a program's gain by one of its locks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// The share (0 to 1) of all processors' time that the program used.
    used: f64,
    /// The share of all processors' time in which the lock was held.
    held: f64,
}

impl Limit {
    /// Takes the figures of the recorded run, which lasted `recorded_ns`, and of the runs without a change.
    pub fn of(lock: &Lock, recorded_ns: u64, measured: &Rounds, cpus: usize) -> Self {
        let runs = measured.rounds.iter().flat_map(|round| round.base);
        let used = runs.map(|run| run.cpu_ns as f64 / run.wall_ns.max(1) as f64 / cpus as f64);
        let mut used: Vec<f64> = used.collect();
        used.sort_unstable_by(f64::total_cmp);
        let held_ns = lock.hold_ns.as_ref().map_or(0, |holds| holds.total);
        Self {
            used: used.get(used.len() / 2).copied().unwrap_or(0.0),
            held: held_ns as f64 / recorded_ns.max(1) as f64 / cpus as f64,
        }
    }

    /// Returns the least time, as a share of today's, with holds that are shorter by the share `shorter`: the processors are busy for
    /// the whole of it. If threads sleep in holds, the true limit is higher.
    pub fn least_time(&self, shorter: f64) -> f64 {
        (self.used - shorter * self.held).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::change::Direction;
    use super::super::rounds::{Measured, Round};
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn busy_processors_leave_only_what_the_holds_use() {
        let run = Measured {
            metric: 1.0,
            wall_ns: 1_000,
            cpu_ns: 1_800,
            delays: 0.0,
        };
        let measured = Rounds {
            rounds: vec![Round {
                base: [run, run],
                changed: Vec::new(),
            }],
            ..Rounds::new(0, Direction::Fast, Vec::new())
        };
        let mut lock = sample::job_server().locks[0].clone();
        lock.hold_ns.as_mut().unwrap().total = 500;
        let limit = Limit::of(&lock, 1_000, &measured, 2);
        // Nine tenths of two processors, of which a quarter is holds.
        assert!((limit.least_time(0.5) - 0.775).abs() < 1e-9, "{limit:?}");
        assert!((limit.least_time(0.0) - 0.9).abs() < 1e-9);
        lock.hold_ns = None;
        assert!((Limit::of(&lock, 1_000, &measured, 2).least_time(0.5) - 0.9).abs() < 1e-9);
    }
}
