//! The progress of the claims and the remaining time, on standard error.

use std::time::Instant;

use indicatif::ProgressBar;
use locktoll_lab::cell::Cell;
use locktoll_lab::{probe, runner};

use super::plan::MACHINE_STEPS;
use crate::progress_bar::{bar, say_above};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::quantity::duration;

/// A progress bar over all claims, weighted by the seconds in their descriptions.
pub struct Progress {
    bar: ProgressBar,
    interrupt: Interrupt,
    began: Instant,
    /// Seconds of all claims, of finished ones, and of the present one.
    total_seconds: f64,
    done_seconds: f64,
    present_seconds: f64,
    present: String,
    /// Slices of the present claim's earlier runs, and of all of its runs.
    slices_before: usize,
    slices: usize,
}

impl Progress {
    /// Creates a bar for claims that take `total_seconds` together.
    pub fn new(total_seconds: f64, interrupt: Interrupt) -> Self {
        let template = "{bar:30} {msg} (Ctrl-C keeps finished claims)";
        Self {
            bar: bar((total_seconds * 10.0) as u64, template),
            interrupt,
            began: Instant::now(),
            total_seconds,
            done_seconds: 0.0,
            present_seconds: 0.0,
            present: String::new(),
            slices_before: 0,
            slices: 0,
        }
    }

    /// Starts the next claim: its name, its seconds, and the total number of slices of its runs.
    pub fn begin(&mut self, name: &str, seconds: f64, slices: usize) {
        name.clone_into(&mut self.present);
        (self.present_seconds, self.slices_before, self.slices) = (seconds, 0, slices);
        self.show(0);
    }

    /// Records that a run with this many slices has ended.
    pub fn run_over(&mut self, slices: usize) {
        self.slices_before += slices;
    }

    /// Ends the present claim: `line` says how it ended.
    pub fn end(&mut self, line: &str) {
        self.done_seconds += self.present_seconds;
        self.present_seconds = 0.0;
        say_above(&self.bar, line);
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether the user wants to stop.
    pub fn stop(&self) -> bool {
        self.interrupt.requested()
    }

    /// Shows that `done` slices of the present run have ended.
    pub fn show(&self, done: usize) {
        let share = (self.slices_before + done) as f64 / self.slices.max(1) as f64;
        let done = self.done_seconds + self.present_seconds * share.min(1.0);
        self.bar.set_position((done * 10.0) as u64);
        let left = duration(self.left(done) * 1e9);
        self.bar
            .set_message(format!("about {left} left: {}", self.present));
    }

    /// Returns the remaining seconds: at first according to the descriptions, later according to the pace so far.
    fn left(&self, done: f64) -> f64 {
        let left = self.total_seconds - done;
        let share = done / self.total_seconds.max(1e-9);
        let pace = match done > 0.0 {
            true => self.began.elapsed().as_secs_f64() / done,
            false => 1.0,
        };
        left * (1.0 - share) + left * pace * share
    }
}

impl runner::Watcher for Progress {
    fn next(&mut self, done: usize, _total: usize, _cell: &Cell) {
        self.show(done);
    }

    fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }
}

impl probe::Watcher for Progress {
    fn next(&mut self, section: usize, sections: usize, _title: &str) {
        self.show(MACHINE_STEPS * section / sections.max(1));
    }

    fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }
}
