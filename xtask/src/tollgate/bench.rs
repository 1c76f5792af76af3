//! Has `locktoll bench` measure settings: within one run all locks and settings are interleaved.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use locktoll_lab::cell::Length;
use locktoll_lab::runner::CellSummary;
use locktoll_lab::stats::Estimate;
use serde_json::Value;

use super::lines::{Figure, Setting, Slices};
use super::measured::{Measured, Rounds};
use super::options::Options;

/// Starting a process for a slice, its threads, and ending them.
const SLICE_OVERHEAD: Duration = Duration::from_millis(35);

/// One run of `locktoll bench`: every combination of its settings' values.
pub struct Batch {
    slices: Slices,
    settings: Vec<Setting>,
    slice_ms: u64,
    rounds: u32,
}

/// The runs that the lines need.
pub fn batches(options: &Options) -> Vec<Batch> {
    let settings = options
        .lines
        .iter()
        .flat_map(|line| line.settings.iter().copied());
    let settings: BTreeSet<Setting> = settings.collect();
    let mut batches: Vec<Batch> = Vec::new();
    for setting in settings {
        let slices = setting.slices;
        match batches.last_mut() {
            _ if slices == Slices::Condition => {}
            Some(batch) if batch.slices == slices => batch.settings.push(setting),
            _ => {
                let (slice_ms, rounds) = length(slices, options.quick);
                batches.push(Batch {
                    slices,
                    settings: vec![setting],
                    slice_ms,
                    rounds: options.rounds.unwrap_or(rounds),
                });
            }
        }
    }
    batches
}

/// How long slices last, in milliseconds, and how often they are repeated. Odd numbers, so that a median is one of them.
/// Waiting needs long slices, since a wait that is longer than its slice is cut off by it; busy threads and those that compete
/// take turns of milliseconds.
fn length(slices: Slices, quick: bool) -> (u64, u32) {
    match (slices, quick) {
        (Slices::Alone | Slices::Short, false) => (100, 15),
        (Slices::Alone, true) => (50, 9),
        (Slices::Short, true) => (50, 7),
        (Slices::Long, false) => (150, 11),
        (Slices::Long, true) => (60, 7),
        (Slices::Waiting, false) => (2000, 7),
        (Slices::Waiting, true) => (400, 5),
        (Slices::Hogs | Slices::Condition, false) => (500, 15),
        (Slices::Hogs | Slices::Condition, true) => (200, 7),
    }
}

impl Batch {
    fn is_waiting(&self) -> bool {
        self.slices == Slices::Waiting
    }

    pub fn title(&self) -> &'static str {
        match self.slices {
            Slices::Alone => "uncontended pair",
            Slices::Short => "list and thread-id",
            Slices::Long => "holds",
            Slices::Waiting => "waiting",
            Slices::Hogs => "busy threads",
            Slices::Condition => "condition variables",
        }
    }

    /// The values of a knob in all settings, each once.
    fn values<T: Ord>(&self, value: impl Fn(&Setting) -> T) -> BTreeSet<T> {
        self.settings.iter().map(value).collect()
    }

    /// The words of `locktoll` for these locks, the first of which is measured twice.
    fn words(&self, locks: &[&str]) -> Vec<String> {
        let flag = |name: &str, values: Vec<String>| format!("--{name}={}", values.join(","));
        let texts = |values: BTreeSet<u32>| values.iter().map(u32::to_string).collect();
        let times = |values: BTreeSet<u64>| values.iter().map(|ns| format!("{ns}ns")).collect();
        // `bench` halves its duration for slices that time the waiting.
        let duration_ms = self.slice_ms * if self.is_waiting() { 2 } else { 1 };
        let part = if self.is_waiting() {
            "waiting"
        } else {
            "throughput"
        };
        let workloads = self.values(|it| it.workload).into_iter();
        vec![
            "bench".to_owned(),
            "--json".to_owned(),
            "--samples".to_owned(),
            format!("--lock={}", locks.join(",")),
            flag("workload", workloads.map(str::to_owned).collect()),
            flag("threads", texts(self.values(|it| it.threads))),
            flag("think", times(self.values(|it| it.think_ns))),
            flag("hold", times(self.values(|it| it.hold_ns))),
            format!("--hogs={}", self.slices.hogs()),
            format!("--part={part}"),
            format!("--duration={duration_ms}ms"),
            format!("--repeat={}", self.rounds),
        ]
    }

    /// How long it takes with so many locks, about.
    pub fn planned(&self, locks: usize) -> Duration {
        let settings = self.values(|it| it.workload).len()
            * self.values(|it| it.threads).len()
            * self.values(|it| it.think_ns).len()
            * self.values(|it| it.hold_ns).len();
        // The first runs twice, but for waiting.
        let runs = locks + usize::from(!self.is_waiting());
        let slices = (settings * runs) as u32 * self.rounds;
        (Duration::from_millis(self.slice_ms) + SLICE_OVERHEAD) * slices
    }

    /// Measures these locks and adds their cells.
    pub fn run(&self, locktoll: &Path, locks: &[&str], to: &mut Measured) -> anyhow::Result<()> {
        let words = self.words(locks);
        let output = Command::new(locktoll)
            .args(&words)
            .stdin(Stdio::null())
            // Its progress bar, and its warnings.
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start locktoll")?;
        let failed = || format!("`locktoll {}` failed", words.join(" "));
        ensure!(output.status.success(), failed());
        let document: Value = serde_json::from_slice(&output.stdout).with_context(failed)?;
        self.take(&document, to)
    }

    /// Takes the cells of a document of the schema `locktoll.bench/1`.
    fn take(&self, document: &Value, to: &mut Measured) -> anyhow::Result<()> {
        let cells: Vec<CellSummary> = serde_json::from_value(document["cells"].clone())?;
        for cell in &cells {
            self.take_cell(cell, to)?;
        }
        let noise = &document["noise"];
        for pair in noise["same_lock_twice"].as_array().unwrap_or(&Vec::new()) {
            let ratio: Estimate = serde_json::from_value(pair["ratio"].clone())?;
            let index = pair["cell"].as_u64().context("an A/A pair of no cell")?;
            let cell = cells
                .get(index as usize)
                .context("an A/A pair of no cell")?;
            to.same_twice.insert(self.setting(cell), ratio);
        }
        let share = |name: &str| noise[name].as_f64().unwrap_or(0.0);
        to.taken = to.taken.max(share("other_load") + share("steal"));
        to.machine = Some(serde_json::from_value(document["machine"].clone())?);
        let warnings: Vec<String> = serde_json::from_value(noise["warnings"].clone())?;
        let title = self.title();
        to.warnings
            .extend(warnings.iter().map(|warning| format!("{title}: {warning}")));
        Ok(())
    }

    fn take_cell(&self, cell: &CellSummary, to: &mut Measured) -> anyhow::Result<()> {
        let rounds = cell.rounds.clone().context("a run without --samples")?;
        let (setting, lock) = (self.setting(cell), cell.lock.as_str());
        let whole = |ns: Vec<Option<u64>>| -> Rounds {
            ns.into_iter().map(|ns| ns.map(|ns| ns as f64)).collect()
        };
        to.add(setting, Figure::Longest, lock, whole(rounds.acquire_max_ns));
        if let (true, Length::Time { ns }) = (self.is_waiting(), cell.length) {
            to.waiting_slice_ns = Some(ns as f64 / 2.0);
        }
        if let Some(problem) = problem(cell) {
            // A lock that is broken has no price.
            to.problems.insert((setting, lock.to_owned()), problem);
            return Ok(());
        }
        to.add(setting, Figure::Time, lock, rounds.ns_per_op);
        to.add(setting, Figure::Cpu, lock, rounds.cpu_ns_per_op);
        to.add(setting, Figure::P99_9, lock, whole(rounds.acquire_p99_9_ns));
        to.add(setting, Figure::HogShare, lock, rounds.bystander_cpu_share);
        Ok(())
    }

    fn setting(&self, cell: &CellSummary) -> Setting {
        Setting {
            slices: self.slices,
            workload: cell.workload.name(),
            threads: cell.threads,
            think_ns: cell.think_ns,
            hold_ns: cell.hold_ns,
        }
    }
}

fn problem(cell: &CellSummary) -> Option<String> {
    if let Some(broken) = &cell.exclusion_broken {
        return Some(format!("let two threads in at once: {broken}"));
    }
    if let Some(cut) = cell.cut_off {
        let threads = cut.threads;
        return Some(format!(
            "{threads} threads did not come out when told to stop"
        ));
    }
    cell.failure.clone()
}

#[cfg(test)]
mod tests {
    use super::super::options::read;
    use super::*;

    #[test]
    fn a_run_takes_the_time_that_the_help_states() {
        let planned = |words: &[&str]| -> Duration {
            let batches = batches(&read(words).unwrap());
            batches.iter().map(|batch| batch.planned(9)).sum()
        };
        // Room is left for the conditions, which are planned elsewhere, and for the builds' checks.
        assert!(planned(&["--quick"]) < Duration::from_secs(225));
        assert!(planned(&[]) < Duration::from_secs(24 * 60));
    }

    #[test]
    fn each_setting_is_in_one_batch() {
        let options = read(&[]).unwrap();
        let batches = batches(&options);
        assert_eq!(batches.len(), 5);
        for line in options.lines.iter().filter(|line| !line.is_condition()) {
            for setting in &line.settings {
                let has = |batch: &&Batch| batch.settings.contains(setting);
                assert_eq!(batches.iter().filter(has).count(), 1, "{setting:?}");
            }
        }
    }

    #[test]
    fn few_cells_are_few_words() {
        let batches = batches(&read(&["--quick", "--rounds", "2", "think/list/8"]).unwrap());
        assert_eq!(
            batches[0].words(&["tollgate", "std"]).join(" "),
            "bench --json --samples --lock=tollgate,std --workload=list --threads=8 --think=200ns --hold=0ns --hogs=0 \
             --part=throughput --duration=50ms --repeat=2"
        );
    }
}
