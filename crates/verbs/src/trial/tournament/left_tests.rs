//! The time that is said to be left, where every run takes as long as it did before.

use std::time::Duration;

use crate::trial::made_up::{Clock, MadeUp, Noise, settings};
use crate::trial::{Played, Stage, Step, TournamentWatcher, play};

/// Takes down every step.
struct Steps {
    clock: Clock,
    steps: Vec<(Stage, usize, usize, Duration)>,
}

impl TournamentWatcher for Steps {
    fn elapsed(&mut self) -> Duration {
        self.clock.now()
    }

    fn interrupted(&mut self) -> bool {
        false
    }

    fn announce(&mut self, _: &str) {}

    fn next(&mut self, step: &Step<'_>) {
        self.steps
            .push((step.stage, step.round, step.rounds, step.left));
    }

    fn tell(&mut self, _: &str) {}
}

/// Plays a tournament of three locks in six rounds; a run of bare takes a second exactly, and `lock-1` this part of it.
fn steps(ratio: f64) -> (Played, Vec<(Stage, usize, usize, Duration)>) {
    let clock = Clock::default();
    let mut runner = MadeUp::new(Noise::Normal(0.0), 1, &clock);
    runner.ratio.insert("lock-1".to_owned(), ratio);
    let mut settings = settings(3, 1);
    settings.rounds = Some(6);
    let mut watcher = Steps {
        clock,
        steps: Vec::new(),
    };
    let played = play(&mut runner, &settings, &mut watcher).unwrap();
    (played, watcher.steps)
}

#[test]
fn what_is_left_shrinks_by_each_run() {
    let (played, steps) = steps(1.0);
    assert_eq!((played.rounds, played.final_rounds), (6, 0));
    let (first, rest) = steps.split_first().unwrap();
    assert_eq!(*first, (Stage::WarmUp, 1, 1, Duration::MAX));
    // A warm-up of four, six rounds of six, and ten rounds of a final of three.
    let left: Vec<u64> = rest.iter().map(|step| step.3.as_secs()).collect();
    let expected: Vec<u64> = (31..=70).rev().collect();
    assert_eq!(left, expected);
    let place = |step: &(Stage, usize, usize, Duration)| (step.0, step.1, step.2);
    assert_eq!(place(&rest[3]), (Stage::WarmUp, 1, 1));
    for (at, step) in rest[4..].iter().enumerate() {
        assert_eq!(place(step), (Stage::Qualifying, at / 6 + 1, 6));
    }
}

#[test]
fn a_final_takes_as_long_as_bare_twice_and_the_lock() {
    let (played, steps) = steps(0.5);
    assert_eq!(played.final_rounds, 10);
    assert_eq!(played.best.unwrap().lock, "lock-1");
    let finals: Vec<_> = steps.iter().filter(|it| it.0 == Stage::Final).collect();
    assert_eq!(finals.len(), 30);
    for (at, round) in finals.chunks(3).enumerate() {
        let begin = Duration::from_millis(2500) * (10 - at as u32);
        assert_eq!(*round[0], (Stage::Final, at + 1, 10, begin));
        assert!(round[1].3 < begin && round[2].3 < round[1].3);
    }
}

#[test]
fn bare_runs_once_more_only_if_more_time_is_left_than_it_took() {
    let bare_runs = |milliseconds| {
        let clock = Clock::default();
        let mut runner = MadeUp::new(Noise::Normal(0.0), 1, &clock);
        let mut settings = settings(2, 1);
        settings.time_limit = Duration::from_millis(milliseconds);
        let mut watcher = Steps {
            clock,
            steps: Vec::new(),
        };
        // In both cases the time does not suffice for a plan.
        assert!(play(&mut runner, &settings, &mut watcher).is_err());
        runner.log.len()
    };
    assert_eq!(bare_runs(2_000), 1);
    assert_eq!(bare_runs(2_001), 2);
}
