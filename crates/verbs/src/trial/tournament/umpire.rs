//! One run at a time: its limit, its duration, and whether it counts.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::trial::{Contestant, Figures, Outcome, Runner, Stage, Step, TournamentWatcher};
use locktoll_results::trial::WhyDropped;

/// A candidate may take so many times as long as the longest run of bare,
const LIMIT_FACTOR: f64 = 10.0;
/// and this much more: starting and stopping count, too.
const LIMIT_MORE: Duration = Duration::from_secs(5);

/// What a metric may be, so that ratios of ratios are numbers, too.
const COMPARABLE: std::ops::Range<f64> = 1e-100..1e100;

/// How a run ended, as far as the tournament is concerned.
#[derive(Debug)]
pub enum Ended {
    /// It counts.
    Counts(Figures),
    /// It does not, and why.
    Failed(WhyDropped),
    /// The user has asked to stop.
    Interrupted,
    /// The time is over.
    OutOfTime,
}

/// Lets contestants run.
pub struct Umpire<'a> {
    runner: &'a mut dyn Runner,
    /// Who looks on, and keeps the time.
    pub watcher: &'a mut dyn TournamentWatcher,
    deadline: Duration,
    /// Exit codes seen under bare.
    bare_codes: BTreeSet<i32>,
    /// The longest run of bare.
    bare_longest: Duration,
}

impl<'a> Umpire<'a> {
    /// Nothing will run beyond `deadline`.
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

    /// What is left until the deadline.
    pub fn left(&mut self) -> Duration {
        self.deadline.saturating_sub(self.watcher.elapsed())
    }

    /// Runs `contestant` and says how long that took, everything included.
    ///
    /// # Errors
    /// As the runner's.
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
            // It was our bound that ended it: that is nothing to be said against the candidate.
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

    /// `None` as long as nothing is known of bare.
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

    /// Success is never held against a candidate, and where bare ends now so, now so, nothing is.
    fn may_end_with(&self, code: i32) -> bool {
        code == 0 || self.bare_codes.contains(&code) || self.bare_codes.len() > 1
    }
}
