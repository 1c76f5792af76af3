//! What an experiment must satisfy before any of it starts.

use crate::cell::{Arrival, Length};
use crate::contender;
use crate::platform;
use crate::workload::Kind;

use super::Experiment;

/// Most threads of a cell.
pub const MAX_THREADS: u32 = 10_000;

/// Most acquisitions before the releases.
pub const MAX_DEPTH: u32 = 1_000;

/// Longest hold, think time or slice: an hour, in nanoseconds.
const MAX_TIME_NS: u64 = 3_600_000_000_000;

/// Most locks of a cell: stripes times depth times nesting.
const MAX_LOCKS: u64 = 1 << 20;

/// A combination of settings that cannot run; the text says what is accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(String);

impl Experiment {
    /// Checks every value and the combinations between them.
    ///
    /// # Errors
    /// The first thing found wrong, and what is accepted instead.
    pub fn check(&self) -> Result<(), Invalid> {
        self.check_lists()?;
        self.check_ranges()?;
        self.check_combinations()
    }

    fn check_lists(&self) -> Result<(), Invalid> {
        let empty = [
            ("--lock", self.locks.is_empty()),
            ("--workload", self.workloads.is_empty()),
            ("--threads", self.threads.is_empty()),
        ];
        match empty.into_iter().find(|(_, empty)| *empty) {
            Some((flag, _)) => wrong(format!("{flag} names nothing; at least one is needed")),
            None => Ok(()),
        }
    }

    fn check_ranges(&self) -> Result<(), Invalid> {
        within("--threads", &self.threads, 1, MAX_THREADS)?;
        within("--depth", &self.depths, 0, MAX_DEPTH)?;
        within("--delay", &self.delays, 0, 1_000_000)?;
        within("--active", &self.actives, 1, MAX_THREADS)?;
        within("--gate", self.gate.as_slice(), 1, MAX_THREADS)?;
        within("--spin", &self.spins, 0, 1_000_000)?;
        within("--stripes", &self.stripes, 1, 1024)?;
        within("--align", &self.aligns, 0, 63)?;
        within("--hogs", &self.hogs, 0, MAX_THREADS)?;
        within("--repeat", &[self.repeat], 1, 1_000)?;
        within("--nice", &[self.nice], -20, 19)?;
        within_time("--hold", &self.holds_ns, 0)?;
        within_time("--think", &self.thinks_ns, 0)?;
        within("--read-ratio", &self.read_ratios, 0.0, 1.0)?;
        match self.length {
            Length::Time { ns } => within_time("--duration", &[ns], 1_000_000)?,
            Length::Rounds { each } => within("--rounds", &[each], 1, 1_000_000_000_000)?,
        }
        match self.arrival {
            Arrival::Open { per_second } => within("--arrival", &[per_second], 0.001, 1e9),
            Arrival::Closed => Ok(()),
        }
    }

    fn check_combinations(&self) -> Result<(), Invalid> {
        self.check_locks()?;
        let fewest = self.threads.iter().min().copied().unwrap_or(1);
        for workload in &self.workloads {
            let least = workload.least_threads();
            if fewest < least {
                return wrong(format!(
                    "workload {} needs at least {least} threads, --threads has {fewest}",
                    workload.name()
                ));
            }
        }
        self.check_partners()?;
        self.check_priorities()?;
        let only = |kind: Kind| self.workloads.iter().all(|workload| *workload == kind);
        if self.stripes.iter().any(|n| *n > 1) && !only(Kind::HashTable) {
            return wrong("--stripes divides the hash table: it needs --workload hash-table");
        }
        if self.read_ratios.iter().any(|p| *p > 0.0) && !only(Kind::ReadMostly) {
            return wrong("--read-ratio needs --workload read-mostly");
        }
        let laddered = self.nested || self.depths.iter().any(|depth| *depth != 1);
        if laddered && self.workloads.contains(&Kind::ReadMostly) {
            return wrong("read-mostly takes one lock once: leave out --depth and --nested");
        }
        let most = |list: &[u32]| u64::from(list.iter().max().copied().unwrap_or(1).max(1));
        let locks = most(&self.stripes) * most(&self.depths) * if self.nested { 2 } else { 1 };
        if locks > MAX_LOCKS {
            return wrong(format!(
                "--stripes x --depth asks for {locks} locks; at most {MAX_LOCKS} are accepted"
            ));
        }
        Ok(())
    }

    /// Every lock is known, can lie where it is asked to, and some lock obeys each knob that is
    /// turned.
    fn check_locks(&self) -> Result<(), Invalid> {
        let mut entries = Vec::new();
        for lock in &self.locks {
            entries.push(contender::find(lock).map_err(|unknown| Invalid(unknown.to_string()))?);
        }
        for entry in &entries {
            let misplaced = |offset: &&u32| !(**offset as usize).is_multiple_of(entry.alignment);
            if let Some(offset) = self.aligns.iter().find(misplaced) {
                return wrong(format!(
                    "--align {offset} is no place for {}; accepted: multiples of {}",
                    entry.name, entry.alignment
                ));
            }
        }
        for (flag, knob, turned) in [
            ("--spin", "spin", !self.spins.is_empty()),
            ("--gate", "gate", self.gate.is_some()),
        ] {
            if turned && !entries.iter().any(|entry| entry.knobs.contains(&knob)) {
                let having = contender::registry().iter();
                let having: Vec<&str> = having
                    .filter(|entry| entry.knobs.contains(&knob))
                    .map(|entry| entry.name)
                    .collect();
                return wrong(format!(
                    "{flag} moves none of the locks asked for; it moves {}",
                    having.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// Priorities are knobs that exclude each other where they would say two things of one thread, or nothing.
    fn check_priorities(&self) -> Result<(), Invalid> {
        if self.background && self.nice != 0 {
            return wrong("--background says how threads are scheduled: leave out --nice");
        }
        if !self.raise_while_holding {
            return Ok(());
        }
        if self.depths.contains(&0) {
            return wrong("--raise-while-holding needs a lock to hold: leave out --depth 0");
        }
        if self.workloads.contains(&Kind::ReadMostly) {
            return wrong(
                "--raise-while-holding needs one holder at a time: read-mostly has readers, who may hold nothing",
            );
        }
        if !platform::RAISABLE_NICE.contains(&self.nice) {
            let (least, most) = (
                platform::RAISABLE_NICE.start(),
                platform::RAISABLE_NICE.end(),
            );
            return wrong(format!(
                "--raise-while-holding cannot raise a thread at --nice {}; accepted: {least} to {most}",
                self.nice
            ));
        }
        Ok(())
    }

    /// With a number of rounds, producers and consumers wait for each other to the last one.
    fn check_partners(&self) -> Result<(), Invalid> {
        let rounds = matches!(self.length, Length::Rounds { .. });
        if !rounds || !self.workloads.contains(&Kind::ProducerConsumer) {
            return Ok(());
        }
        if self.threads.iter().any(|n| n % 2 == 1) {
            return wrong(
                "--rounds with producer-consumer needs an even number of threads: who puts and who \
                 takes must do the same number",
            );
        }
        let most = self.threads.iter().max().copied().unwrap_or(0);
        if self.actives.iter().any(|active| *active < most) {
            return wrong(
                "--rounds with producer-consumer cannot go with --active: a producer keeps its slot \
                 while it waits for a consumer that has none (take --duration)",
            );
        }
        Ok(())
    }
}

fn wrong<T>(text: impl Into<String>) -> Result<T, Invalid> {
    Err(Invalid(text.into()))
}

/// Every time from `low_ns` to an hour.
fn within_time(flag: &str, values_ns: &[u64], low_ns: u64) -> Result<(), Invalid> {
    let seconds = |ns: u64| match ns {
        0 => "0".to_owned(),
        1..1_000_000_000 => format!("{}ms", ns as f64 / 1e6),
        _ => format!("{}s", ns / 1_000_000_000),
    };
    match values_ns
        .iter()
        .find(|ns| !(low_ns..=MAX_TIME_NS).contains(ns))
    {
        Some(ns) => wrong(format!(
            "{flag} {} is out of range; accepted: {} to {}",
            seconds(*ns),
            seconds(low_ns),
            seconds(MAX_TIME_NS)
        )),
        None => Ok(()),
    }
}

/// Every value in `low..=high`.
fn within<T: PartialOrd + Copy + std::fmt::Display>(
    flag: &str,
    values: &[T],
    low: T,
    high: T,
) -> Result<(), Invalid> {
    // Written so that a value that is not a number is refused too.
    match values.iter().find(|v| !(low <= **v && **v <= high)) {
        Some(value) => wrong(format!(
            "{flag} {value} is out of range; accepted: {low} to {high}"
        )),
        None => Ok(()),
    }
}
