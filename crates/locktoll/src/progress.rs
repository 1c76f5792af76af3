//! The progress bar: on standard error, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use locktoll_lab::cell::{Cell, Part};
use locktoll_lab::runner::Watcher;

use crate::interrupt::Interrupt;

/// Says on standard error what comes next.
pub fn stage(what: &str) {
    anstream::eprintln!("{what}");
}

/// Shows how far a run has come and how long it still takes.
pub struct Progress {
    bar: ProgressBar,
    interrupt: Interrupt,
}

impl Progress {
    /// A bar for `total` slices.
    pub fn new(total: usize, interrupt: Interrupt) -> Self {
        let bar = ProgressBar::new(total as u64);
        let style = ProgressStyle::with_template(
            "{bar:30} {pos}/{len} slices, {eta} left  {msg} (Ctrl-C shows what there is)",
        )
        .expect("the template is well formed");
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, interrupt }
    }

    /// Removes the bar.
    pub fn clear(self) {
        self.bar.finish_and_clear();
    }
}

impl Watcher for Progress {
    fn next(&mut self, done: usize, _total: usize, cell: &Cell) {
        self.bar.set_position(done as u64);
        let part = match cell.part {
            Part::Throughput => "throughput",
            Part::Waiting => "waiting",
        };
        let lock = &cell.lock;
        let threads = cell.threads;
        self.bar
            .set_message(format!("{lock}, {threads} threads, {part}"));
    }

    fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }
}
