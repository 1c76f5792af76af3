//! One run at a time: its limit, its duration, and whether it counts.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::trial::{Contestant, Figures, Outcome, Runner, Stage, Step, TournamentWatcher};
use locktoll_results::trial::WhyDropped;

/// A candidate may take this many times as long as the longest bare run,
const LIMIT_FACTOR: f64 = 10.0;
/// plus this: starting and stopping count too.
const LIMIT_MORE: Duration = Duration::from_secs(5);

/// The range of a metric, chosen so that even ratios of ratios are finite numbers.
const COMPARABLE: std::ops::Range<f64> = 1e-100..1e100;

/// How a run ended, from the tournament's point of view.
#[derive(Debug)]
pub enum Ended {
    /// The run counts.
    Counts(Figures),
    /// The run does not count, and why.
    Failed(WhyDropped),
    /// The user has asked to stop.
    Interrupted,
    /// The time limit was reached.
    OutOfTime,
}

/// Runs the contestants.
pub struct Umpire<'a> {
    runner: &'a mut dyn Runner,
    /// Observes the tournament, and keeps the time.
    pub watcher: &'a mut dyn TournamentWatcher,
    deadline: Duration,
    /// Exit codes seen under bare.
    bare_codes: BTreeSet<i32>,
    /// The longest run of bare.
    bare_longest: Duration,
}

impl<'a> Umpire<'a> {
    /// Creates an umpire that lets nothing run beyond `deadline`.
    pub fn new(
        runner: &'a mut dyn Runner,
        watcher: &'a mut dyn TournamentWatcher,
        deadline: Duration,
    ) -> Self {
        Self {
            runner,
            watcher,
            deadline,
            bare_codes: BTreeSet::new(),
            bare_longest: Duration::ZERO,
        }
    }

    /// Exit codes seen under bare.
    pub fn bare_codes(&self) -> &BTreeSet<i32> {
        &self.bare_codes
    }

    /// Returns the time left until the deadline.
    pub fn left(&mut self) -> Duration {
        self.deadline.saturating_sub(self.watcher.elapsed())
    }

    /// Runs `contestant` and returns how long that took, everything included.
    ///
    /// # Errors
    /// The errors of the runner.
    pub fn run(
        &mut self,
        contestant: &Contestant,
        step: (Stage, usize, usize),
        left_of_all: Duration,
    ) -> anyhow::Result<(Ended, Duration)> {
        if self.watcher.interrupted() {
            return Ok((Ended::Interrupted, Duration::ZERO));
        }
        let left = self.left();
        if left.is_zero() {
            return Ok((Ended::OutOfTime, Duration::ZERO));
        }
        let (stage, round, rounds) = step;
        self.watcher.next(&Step {
            stage,
            round,
            rounds,
            contestant,
            left: left_of_all,
        });
        let own_limit = self.own_limit();
        let limit = own_limit.map_or(left, |own| own.min(left));
        let began = self.watcher.elapsed();
        let outcome = self.runner.run(contestant, limit)?;
        let took = self.watcher.elapsed().saturating_sub(began);
        let ended = match outcome {
            Outcome::Interrupted => Ended::Interrupted,
            // The run was ended by our deadline, which is not the candidate's fault.
            Outcome::Failed(WhyDropped::TimeLimit { .. })
                if own_limit.is_none_or(|it| it > limit) =>
            {
                Ended::OutOfTime
            }
            Outcome::Failed(why) => Ended::Failed(why),
            Outcome::Done(figures) => self.judge(contestant, figures),
        };
        Ok((ended, took))
    }

    /// Returns a candidate's own time limit; `None` while no bare run has been made.
    fn own_limit(&self) -> Option<Duration> {
        (!self.bare_longest.is_zero()).then(|| {
            let longest = self.bare_longest.as_secs_f64() * LIMIT_FACTOR;
            Duration::try_from_secs_f64(longest)
                .unwrap_or(Duration::MAX)
                .saturating_add(LIMIT_MORE)
        })
    }

    fn judge(&mut self, contestant: &Contestant, figures: Figures) -> Ended {
        if !COMPARABLE.contains(&figures.metric) {
            let metric = figures.metric;
            return Ended::Failed(WhyDropped::Load {
                reason: match metric.is_finite() {
                    true => format!("the metric is {metric}, which cannot be compared"),
                    false => "the metric is not a number".to_owned(),
                },
            });
        }
        if *contestant == Contestant::Bare {
            self.bare_codes.insert(figures.exit_code);
            let wall = Duration::from_nanos(figures.wall_ns.max(1));
            self.bare_longest = self.bare_longest.max(wall);
        } else if !self.may_end_with(figures.exit_code) {
            return Ended::Failed(WhyDropped::ExitCode {
                code: figures.exit_code,
                said: figures.said,
            });
        }
        Ended::Counts(figures)
    }

    /// Whether this exit code is acceptable. Success is never held against a candidate; if the exit code of bare varies, no exit
    /// code is.
    fn may_end_with(&self, code: i32) -> bool {
        code == 0 || self.bare_codes.contains(&code) || self.bare_codes.len() > 1
    }
}
