//! The progress bar, on standard error and only if that is a terminal.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use locktoll_lab::cell::{Cell, Length, Part};
use locktoll_lab::runner::Watcher;

use crate::progress_bar::bar;
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;
use locktoll_terminal::quantity::{counted, duration};

/// Time to start a process and its threads, and to end them.
const SLICE_OVERHEAD: Duration = Duration::from_millis(25);

/// A run longer than this is announced even if no bar can be shown.
const LONG: Duration = Duration::from_secs(120);

/// Shows the progress of a run and the remaining time.
pub struct Progress {
    bar: ProgressBar,
    interrupt: Interrupt,
    started: Instant,
    planned: Duration,
}

impl Progress {
    /// Creates a bar for `total` slices over `cells`. `hint` says what Ctrl-C does.
    pub fn new(total: usize, cells: &[Cell], hint: &str, interrupt: Interrupt) -> Self {
        let template = format!("{{bar:30}} {{pos}}/{{len}} slices, {{msg}} ({hint})");
        let bar = bar(total as u64, &template);
        let planned = planned(total, cells);
        if bar.is_hidden() && planned > LONG {
            let takes = duration(planned.as_nanos() as f64);
            output::say(&format!("locktoll: this takes about {takes}"));
        }
        Self {
            bar,
            interrupt,
            started: Instant::now(),
            planned,
        }
    }

    /// Removes the bar.
    pub fn clear(self) {
        self.bar.finish_and_clear();
    }

    /// Returns the remaining time: at first according to the plan, later according to the actual pace.
    fn left(&self, done: usize, total: usize) -> Duration {
        let share = done as f64 / total.max(1) as f64;
        let by_plan = self.planned.mul_f64(1.0 - share);
        if done == 0 {
            return by_plan;
        }
        let by_pace = self.started.elapsed().mul_f64((1.0 - share) / share);
        by_plan.mul_f64(1.0 - share) + by_pace.mul_f64(share)
    }
}

/// Returns the planned duration of all slices together. Slices with a number of operations take as long as they take.
fn planned(total: usize, cells: &[Cell]) -> Duration {
    let slices = cells.iter().filter_map(|cell| match cell.length {
        // One slice counts operations, and another half as long measures the waiting time.
        Length::Time { ns } => Some(Duration::from_nanos(ns) * 3 / 4),
        Length::Rounds { .. } => None,
    });
    let one = slices.sum::<Duration>() / (cells.len().max(1) as u32);
    (one + SLICE_OVERHEAD) * total as u32
}

impl Watcher for Progress {
    fn next(&mut self, done: usize, total: usize, cell: &Cell) {
        self.bar.set_position(done as u64);
        let part = match cell.part {
            Part::Throughput => "throughput",
            Part::Waiting => "waiting",
        };
        let left = self.left(done, total).as_secs();
        let threads = counted(u64::from(cell.threads), "thread", "threads");
        let lock = &cell.lock;
        self.bar
            .set_message(format!("about {left} s left: {lock}, {threads}, {part}"));
    }

    fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }
}
