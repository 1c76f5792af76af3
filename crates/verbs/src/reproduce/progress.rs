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
        let elapsed = self.began.elapsed().as_secs_f64();
        let left = duration(left(self.total_seconds, done, elapsed) * 1e9);
        self.bar
            .set_message(format!("about {left} left: {}", self.present));
    }
}

/// Returns the remaining seconds if `done` of `total` took `elapsed`: at first according to the descriptions, later according to
/// the pace so far.
fn left(total: f64, done: f64, elapsed: f64) -> f64 {
    let left = total - done;
    let share = done / total.max(1e-9);
    let pace = match done > 0.0 {
        true => elapsed / done,
        false => 1.0,
    };
    left * (1.0 - share) + left * pace * share
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

#[cfg(test)]
mod tests {
    use locktoll_lab::cell::{Calibration, Length};

    use super::*;

    fn progress(seconds: f64) -> Progress {
        Progress::new(seconds, Interrupt::listen().unwrap())
    }

    #[test]
    fn what_is_left_follows_the_descriptions_and_then_the_pace() {
        assert_eq!(left(100.0, 0.0, 7.0), 100.0);
        // Half of the claims took twice the time that was described.
        assert_eq!(left(100.0, 50.0, 100.0), 75.0);
        assert_eq!(left(100.0, 80.0, 80.0), 20.0);
        assert_eq!(left(100.0, 100.0, 300.0), 0.0);
        assert_eq!(left(0.0, 0.0, 3.0), 0.0);
    }

    #[test]
    fn the_bar_is_in_tenths_of_the_described_seconds() {
        let mut progress = progress(30.0);
        let at = |it: &Progress| (it.bar.position(), it.bar.length());
        progress.begin("Z1", 10.0, 40);
        assert_eq!(at(&progress), (0, Some(300)));
        assert!(progress.bar.message().ends_with("left: Z1"));
        assert_eq!(progress.bar.message(), "about 30.0 s left: Z1");
        progress.show(10);
        assert_eq!(at(&progress).0, 25);
        // Slices of an earlier run of the claim count, and never more than all of them.
        progress.run_over(20);
        progress.show(10);
        assert_eq!(at(&progress).0, 75);
        progress.show(90);
        assert_eq!(at(&progress).0, 100);
        progress.end("Z1 holds");
        progress.begin("Z2", 20.0, 10);
        assert_eq!(at(&progress).0, 100);
        progress.show(5);
        assert_eq!(at(&progress).0, 200);
        progress.end("Z2 holds");
        progress.begin("Z3", 0.0, 0);
        assert_eq!(at(&progress).0, 300);
        assert!(!progress.bar.is_finished());
        progress.clear();
        assert!(progress.bar.is_finished());
    }

    #[test]
    fn the_bar_follows_the_slices_of_a_bench_and_the_sections_of_the_prices() {
        let mut progress = progress(10.0);
        progress.begin("Z1", 10.0, 40);
        let cell = Cell::at_rest(
            "std",
            Length::Time { ns: 1 },
            Calibration { loops_per_ns: 1.0 },
        );
        runner::Watcher::next(&mut progress, 20, 40, &cell);
        assert_eq!(progress.bar.position(), 50);
        progress.begin("Z1", 10.0, MACHINE_STEPS);
        probe::Watcher::next(&mut progress, 3, 4, "title");
        assert_eq!(progress.bar.position(), 75);
        probe::Watcher::next(&mut progress, 0, 0, "title");
        assert_eq!(progress.bar.position(), 0);
        assert!(!progress.stop());
        assert!(!runner::Watcher::interrupted(&progress));
        assert!(!probe::Watcher::interrupted(&progress));
    }
}
