//! Runs the loops over condition variables: a process for each round.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use locktoll_lab::monitor::Raced;

use super::lines::{BROADCAST, Figure, PING_PONG, condition};
use super::measured::{Measured, Rounds};
use super::options::Options;

/// What is to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    rounds: u32,
    hand_overs: u32,
    broadcasts: u32,
}

impl Plan {
    /// What the lines need; `None` if none is about conditions.
    pub fn of(options: &Options) -> Option<Self> {
        let wants = |name| {
            options
                .lines
                .iter()
                .any(|line| line.settings[0] == condition(name))
        };
        let (rounds, hand_overs, broadcasts) = match options.quick {
            true => (9, 4_000, 40),
            false => (21, 10_000, 100),
        };
        let plan = Self {
            rounds: options.rounds.unwrap_or(rounds),
            hand_overs: if wants(PING_PONG) { hand_overs } else { 0 },
            broadcasts: if wants(BROADCAST) { broadcasts } else { 0 },
        };
        (plan.hand_overs + plan.broadcasts > 0).then_some(plan)
    }

    /// How long it takes, about: with a switch of some microseconds for each hand-over and for each waiter.
    pub fn planned(&self) -> Duration {
        const MONITORS: u32 = 5;
        let hand_overs = Duration::from_micros(6) * self.hand_overs;
        let broadcasts = Duration::from_micros(600) * self.broadcasts;
        (hand_overs + broadcasts) * MONITORS * self.rounds
    }

    /// Runs `program` once for each round.
    pub fn run(&self, program: &Path, to: &mut Measured) -> anyhow::Result<()> {
        let mut rounds: Vec<Vec<Raced>> = Vec::new();
        for round in 0..self.rounds {
            let lengths = [round, self.hand_overs, self.broadcasts];
            let output = Command::new(program)
                .args(lengths.map(|number| number.to_string()))
                .stdin(Stdio::null())
                .stderr(Stdio::inherit())
                .output()
                .context("cannot start the program that measures condition variables")?;
            ensure!(
                output.status.success(),
                "condition variables could not be measured"
            );
            rounds.push(serde_json::from_slice(&output.stdout)?);
        }
        take(&rounds, to);
        Ok(())
    }
}

/// Adds the figures of all rounds, by lock.
fn take(rounds: &[Vec<Raced>], to: &mut Measured) {
    for Raced { lock, .. } in rounds.first().into_iter().flatten() {
        let figures = |pick: fn(&Raced) -> Option<f64>| -> Rounds {
            let of = |round: &Vec<Raced>| pick(round.iter().find(|raced| raced.lock == *lock)?);
            rounds.iter().map(of).collect()
        };
        to.add(
            condition(PING_PONG),
            Figure::Time,
            lock,
            figures(|raced| raced.ping_pong_ns),
        );
        to.add(
            condition(BROADCAST),
            Figure::Time,
            lock,
            figures(|raced| raced.broadcast_ns),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::read;
    use super::*;

    #[test]
    fn only_what_is_asked_for_is_run() {
        let plan = |words: &[&str]| Plan::of(&read(words).unwrap());
        assert_eq!(plan(&["hogs"]), None);
        let both = plan(&["condition"]).unwrap();
        assert!(both.hand_overs > 0 && both.broadcasts > 0);
        let one = plan(&["condition/broadcast", "--rounds", "2"]).unwrap();
        assert_eq!((one.rounds, one.hand_overs), (2, 0));
        assert!(one.broadcasts > 0);
    }

    #[test]
    fn rounds_are_put_together_by_lock() {
        let raced = |lock: &str, ns: f64| Raced {
            lock: lock.to_owned(),
            ping_pong_ns: Some(ns),
            broadcast_ns: None,
        };
        let mut measured = Measured::default();
        let rounds = [
            vec![raced("a", 1.0), raced("b", 2.0)],
            vec![raced("b", 4.0), raced("a", 3.0)],
        ];
        take(&rounds, &mut measured);
        let of = |name, lock| measured.of(&condition(name), Figure::Time, lock);
        assert_eq!(of(PING_PONG, "b"), [Some(2.0), Some(4.0)]);
        assert_eq!(of(BROADCAST, "a"), [None, None]);
    }
}
