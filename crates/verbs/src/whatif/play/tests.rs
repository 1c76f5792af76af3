//! Rounds of made-up programs.

use std::time::Duration;

use locktoll_made_up::sample;
use locktoll_results::trial::Better;
use locktoll_results::whatif::WhatIfVerdict;

use super::*;
use crate::whatif::gains::gains;
use crate::whatif::limit::Limit;
use crate::whatif::response::response;

/// A program whose time is known for each length.
struct MadeUp {
    time: fn(u32) -> f64,
    noise: f64,
    draw: Draw,
    left: Duration,
    /// The run that fails.
    fails: Option<u32>,
    runs: usize,
}

impl MadeUp {
    fn new(time: fn(u32) -> f64, noise: f64) -> Self {
        Self {
            time,
            noise,
            draw: Draw::new(7),
            left: Duration::from_secs(600),
            fails: None,
            runs: 0,
        }
    }
}

impl Runs for MadeUp {
    fn run(&mut self, _: usize, Change { percent, .. }: Change) -> anyhow::Result<Ended> {
        self.runs += 1;
        if self.fails == Some(percent) {
            return Ok(Ended::Failed("it crashed".to_owned()));
        }
        let share = self.draw.bits() as f64 / u64::MAX as f64;
        let time = (self.time)(percent) * (1.0 + self.noise * (2.0 * share - 1.0));
        let took = Duration::from_secs_f64(time);
        if took > self.left {
            return Ok(Ended::Stopped);
        }
        self.left -= took;
        Ok(Ended::Counts(Measured {
            metric: time,
            wall_ns: took.as_nanos() as u64,
            cpu_ns: 0,
            delays: 0.0,
        }))
    }

    fn left(&self) -> Duration {
        self.left
    }

    fn next(&mut self, _: usize, _: usize) {}
}

fn one_lock() -> Vec<Chosen> {
    vec![Chosen {
        lock: sample::job_server().locks[0].clone(),
        changes: vec![(Direction::Slow, vec![20, 50])],
        only: std::ffi::OsString::new(),
        wait_share: 0.5,
        is_longest_wait: true,
    }]
}

fn verdict(time: fn(u32) -> f64, noise: f64, seed: u64) -> WhatIfVerdict {
    let mut runs = MadeUp::new(time, noise);
    runs.draw = Draw::new(seed);
    let played = play(&mut runs, &one_lock(), Some(12), seed).unwrap();
    assert_eq!(played.rounds[0].rounds.len(), 12);
    let response = response(&played.rounds[0], Better::Lower).unwrap();
    gains(&response, &Limit::default()).verdict
}

#[test]
fn a_bottleneck_gains_and_a_decoy_does_not() {
    let bottleneck = |percent| 1.0 + f64::from(percent) / 100.0;
    let decoy = |_| 1.0;
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..200 {
        right += usize::from(verdict(bottleneck, 0.03, seed) == WhatIfVerdict::Gains);
        wrong += usize::from(verdict(decoy, 0.03, seed) == WhatIfVerdict::Gains);
    }
    assert_eq!(right, 200);
    // An interval of 95 % is wrong on the upper side once in forty, and gains are called so only if they are not small either.
    assert!(wrong <= 10, "{wrong}");
}

#[test]
fn noise_hides_an_effect_and_that_is_said() {
    let mut unclear = 0;
    for seed in 0..50 {
        unclear += usize::from(verdict(|_| 1.0, 0.5, seed) == WhatIfVerdict::CannotTell);
    }
    assert!(unclear >= 40, "{unclear}");
}

#[test]
fn what_does_not_fit_is_not_begun_and_what_fails_is_given_up() {
    let mut runs = MadeUp::new(|_| 40.0, 0.0);
    let refused = play(&mut runs, &one_lock(), None, 1).unwrap_err();
    assert!(refused.to_string().contains("--time-limit"), "{refused}");
    assert_eq!(runs.runs, 1);

    let mut runs = MadeUp::new(|_| 10.0, 0.0);
    let played = play(&mut runs, &one_lock(), None, 1).unwrap();
    assert!(played.planned >= LEAST_ROUNDS && !played.is_partial);

    // As many rounds as the user asked for, until the time is over.
    let mut runs = MadeUp::new(|_| 40.0, 0.0);
    let played = play(&mut runs, &one_lock(), Some(9), 1).unwrap();
    assert!(played.is_partial && played.rounds[0].rounds.len() < 9);

    let mut runs = MadeUp::new(|_| 1.0, 0.0);
    runs.fails = Some(50);
    let played = play(&mut runs, &one_lock(), Some(9), 1).unwrap();
    let why = played.rounds[0].dropped.as_deref().unwrap();
    assert!(why.contains("50 % longer: it crashed"), "{why}");
    assert!(runs.runs < 10);

    let mut runs = MadeUp::new(|_| 1.0, 0.0);
    runs.fails = Some(0);
    assert!(matches!(
        play(&mut runs, &one_lock(), Some(9), 1),
        Err(Unplayable::Base(_))
    ));
}
