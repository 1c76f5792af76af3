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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::made_up::{Clock, Onlooker};

    /// Each run takes `takes` and has the given outcome.
    struct Told {
        clock: Clock,
        takes: Duration,
        outcome: Outcome,
        limit: Duration,
    }

    impl Runner for Told {
        fn run(&mut self, _: &Contestant, limit: Duration) -> anyhow::Result<Outcome> {
            self.limit = limit;
            self.clock.pass(self.takes);
            Ok(self.outcome.clone())
        }
    }

    fn figures(metric: f64, exit_code: i32) -> Figures {
        Figures {
            metric,
            wall_ns: 2_000_000_000,
            cpu_ns: 1,
            exit_code,
            said: None,
            coverage: None,
        }
    }

    fn told(outcome: Outcome) -> (Told, Onlooker) {
        let clock = Clock::default();
        let onlooker = Onlooker::new(&clock);
        let runner = Told {
            clock,
            takes: Duration::from_secs(3),
            outcome,
            limit: Duration::ZERO,
        };
        (runner, onlooker)
    }

    const STEP: (Stage, usize, usize) = (Stage::Qualifying, 1, 1);

    fn lock() -> Contestant {
        Contestant::Candidate("x".to_owned())
    }

    fn hang() -> Outcome {
        Outcome::Failed(WhyDropped::TimeLimit { limit_ns: 1 })
    }

    /// Runs a lock, after bare if that has run for this long; returns how it ended and the limit that it had.
    fn ended(outcome: Outcome, bare: Duration, deadline: u64) -> (Ended, Duration) {
        let (mut runner, mut onlooker) = told(outcome);
        let mut umpire = Umpire::new(&mut runner, &mut onlooker, Duration::from_secs(deadline));
        umpire.bare_longest = bare;
        let (ended, took) = umpire.run(&lock(), STEP, Duration::ZERO).unwrap();
        assert_eq!(took, Duration::from_secs(3));
        (ended, runner.limit)
    }

    #[test]
    fn a_lock_may_take_ten_times_as_long_as_bare_and_five_seconds() {
        let two = Duration::from_secs(2);
        let (hung, limit) = ended(hang(), two, 100);
        assert_eq!(limit, Duration::from_secs(25));
        assert!(matches!(hung, Ended::Failed(WhyDropped::TimeLimit { .. })));
        // With less time left than that, the deadline ended it.
        let (hung, limit) = ended(hang(), two, 24);
        assert_eq!(limit, Duration::from_secs(24));
        assert!(matches!(hung, Ended::OutOfTime));
        let (hung, _) = ended(hang(), two, 25);
        assert!(matches!(hung, Ended::Failed(_)));
        // Before bare has run, nothing but the deadline is known.
        let (hung, limit) = ended(hang(), Duration::ZERO, 100);
        assert_eq!(limit, Duration::from_secs(100));
        assert!(matches!(hung, Ended::OutOfTime));
        let (other, _) = ended(Outcome::Interrupted, two, 100);
        assert!(matches!(other, Ended::Interrupted));
    }

    #[test]
    fn a_metric_that_cannot_be_compared_does_not_count() {
        let ended = |metric| {
            let outcome = Outcome::Done(figures(metric, 0));
            match ended(outcome, Duration::ZERO, 100).0 {
                Ended::Counts(_) => "counts".to_owned(),
                Ended::Failed(WhyDropped::Load { reason }) => reason,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(ended(1.0), "counts");
        assert_eq!(ended(0.0), "the metric is 0, which cannot be compared");
        assert_eq!(ended(f64::NAN), "the metric is not a number");
    }

    #[test]
    fn a_lock_may_end_as_bare_does_or_with_success() {
        let (mut runner, mut onlooker) = told(Outcome::Interrupted);
        let mut umpire = Umpire::new(&mut runner, &mut onlooker, Duration::from_secs(1));
        let counts = |umpire: &mut Umpire<'_>, who: &Contestant, code| {
            matches!(umpire.judge(who, figures(1.0, code)), Ended::Counts(_))
        };
        assert!(counts(&mut umpire, &lock(), 0));
        assert!(!counts(&mut umpire, &lock(), 3));
        assert!(umpire.bare_codes().is_empty());
        assert!(counts(&mut umpire, &Contestant::Bare, 3));
        assert_eq!(umpire.bare_longest, Duration::from_secs(2));
        assert!(counts(&mut umpire, &lock(), 3));
        assert!(counts(&mut umpire, &lock(), 0));
        assert!(!counts(&mut umpire, &lock(), 4));
        // If the code of bare varies, any is accepted.
        assert!(counts(&mut umpire, &Contestant::Bare, 0));
        assert!(counts(&mut umpire, &lock(), 4));
        assert_eq!(umpire.bare_codes().len(), 2);
    }

    #[test]
    fn nothing_runs_after_the_deadline_or_the_wish_to_stop() {
        let (mut runner, mut onlooker) = told(hang());
        runner.clock.pass(Duration::from_secs(5));
        let mut umpire = Umpire::new(&mut runner, &mut onlooker, Duration::from_secs(5));
        let ran = umpire.run(&lock(), STEP, Duration::ZERO).unwrap();
        assert!(matches!(ran, (Ended::OutOfTime, Duration::ZERO)));
        umpire.deadline = Duration::from_secs(6);
        assert_eq!(umpire.left(), Duration::from_secs(1));
        onlooker.stops_after = Some(0);
        let mut umpire = Umpire::new(&mut runner, &mut onlooker, Duration::from_secs(9));
        let ran = umpire.run(&lock(), STEP, Duration::ZERO).unwrap();
        assert!(matches!(ran, (Ended::Interrupted, Duration::ZERO)));
        assert_eq!(onlooker.runs, 0);
    }
}
