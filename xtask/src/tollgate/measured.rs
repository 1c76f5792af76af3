//! What was measured: figures of each round, by cell and lock.

use std::collections::HashMap;

use locktoll_lab::cell::Length;
use locktoll_lab::runner::{CellSummary, RoundFigures};
use locktoll_lab::stats::Estimate;

use super::ratio::Rounds;
use super::setting::Setting;

/// A figure of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Wall time over the operations of all threads, in nanoseconds.
    Time,
    /// User and kernel time over operations, in nanoseconds.
    Cpu,
    /// The longest acquisition, in nanoseconds.
    Longest,
    /// One acquisition in a thousand takes longer, in nanoseconds.
    P99_9,
    /// The part of all CPU time that busy threads beside got.
    HogShare,
}

/// One lock in one setting.
#[derive(Clone, Debug, Default)]
struct Subject {
    rounds: RoundFigures,
    problem: Option<String>,
    length: Option<Length>,
}

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Measured {
    subjects: HashMap<(Setting, String), Subject>,
    conditions: HashMap<(String, String), Rounds>,
    same_twice: HashMap<Setting, Estimate>,
}

impl Measured {
    /// Takes what a run of `locktoll bench` says of a cell; `waiting` when it timed acquisitions.
    pub fn add(&mut self, summary: &CellSummary, waiting: bool) {
        let setting = Setting {
            workload: summary.workload.name(),
            threads: summary.threads,
            think_ns: summary.think_ns,
            hold_ns: summary.hold_ns,
            hogs: summary.hogs,
            waiting,
        };
        let subject = Subject {
            rounds: summary.rounds.clone().unwrap_or_default(),
            problem: problem(summary),
            length: Some(summary.length),
        };
        self.subjects
            .insert((setting, summary.lock.clone()), subject);
    }

    /// Takes an A/A pair of the cell of `summary`.
    pub fn add_same_twice(&mut self, summary: &CellSummary, ratio: Estimate) {
        let setting = Setting {
            workload: summary.workload.name(),
            threads: summary.threads,
            think_ns: summary.think_ns,
            hold_ns: summary.hold_ns,
            hogs: summary.hogs,
            waiting: false,
        };
        self.same_twice.insert(setting, ratio);
    }

    /// Takes the rounds of a lock's condition variable in the cell of this name.
    pub fn add_condition(&mut self, cell: &str, lock: &str, rounds: Rounds) {
        self.conditions
            .insert((cell.to_owned(), lock.to_owned()), rounds);
    }

    /// The figure of `lock` in each round; none where it could not be measured, or let two threads in at once.
    pub fn rounds(&self, setting: &Setting, lock: &str, figure: Figure) -> Rounds {
        let Some(subject) = self.subjects.get(&(*setting, lock.to_owned())) else {
            return Rounds::new();
        };
        let rounds = &subject.rounds;
        let whole = |ns: &[Option<u64>]| ns.iter().map(|ns| ns.map(|ns| ns as f64)).collect();
        match figure {
            // A lock that is broken has no price.
            _ if subject.problem.is_some() && figure != Figure::Longest => Rounds::new(),
            Figure::Time => rounds.ns_per_op.clone(),
            Figure::Cpu => rounds.cpu_ns_per_op.clone(),
            Figure::Longest => whole(&rounds.acquire_max_ns),
            Figure::P99_9 => whole(&rounds.acquire_p99_9_ns),
            Figure::HogShare => rounds.bystander_cpu_share.clone(),
        }
    }

    /// The rounds of the condition variable of `lock`.
    pub fn condition(&self, cell: &str, lock: &str) -> Rounds {
        let key = (cell.to_owned(), lock.to_owned());
        self.conditions.get(&key).cloned().unwrap_or_default()
    }

    /// Locks whose condition variables were measured in a cell.
    pub fn has_condition(&self, cell: &str, lock: &str) -> bool {
        self.conditions
            .contains_key(&(cell.to_owned(), lock.to_owned()))
    }

    /// What was not as it should be with a lock in a setting.
    pub fn problem(&self, setting: &Setting, lock: &str) -> Option<&str> {
        let subject = self.subjects.get(&(*setting, lock.to_owned()))?;
        subject.problem.as_deref()
    }

    /// How long the slices of a setting that timed acquisitions were, in nanoseconds.
    pub fn waited_ns(&self, setting: &Setting, lock: &str) -> Option<f64> {
        let subject = self.subjects.get(&(*setting, lock.to_owned()))?;
        match subject.length? {
            // `bench` halves the duration of these.
            Length::Time { ns } if setting.waiting => Some(ns as f64 / 2.0),
            _ => None,
        }
    }

    /// The time of a second run of the first lock over that of its first, where it ran twice.
    pub fn same_twice(&self, setting: &Setting) -> Option<Estimate> {
        self.same_twice.get(setting).copied()
    }
}

fn problem(summary: &CellSummary) -> Option<String> {
    if let Some(broken) = &summary.exclusion_broken {
        return Some(format!("let two threads in at once: {broken}"));
    }
    if let Some(cut) = summary.cut_off {
        return Some(format!(
            "{} threads did not come out when told to stop",
            cut.threads
        ));
    }
    summary.failure.clone()
}
