//! The progress of the price list.

use indicatif::ProgressBar;
use locktoll_lab::cell::Cell;
use locktoll_lab::{probe, runner};

use crate::progress_bar::bar;
use locktoll_terminal::interrupt::Interrupt;

/// A bar on standard error, only if that is a terminal: one step for each section, and one for the locks at the end.
pub struct Progress {
    bar: ProgressBar,
    interrupt: Interrupt,
}

impl Progress {
    /// Creates an empty bar.
    pub fn new(interrupt: Interrupt) -> Self {
        Self {
            bar: bar(
                1,
                "{bar:30} {elapsed}: {msg} (Ctrl-C shows the results so far)",
            ),
            interrupt,
        }
    }

    /// Removes the bar.
    pub fn clear(self) {
        self.bar.finish_and_clear();
    }
}

impl probe::Watcher for Progress {
    fn next(&mut self, section: usize, sections: usize, title: &str) {
        // The locks follow the sections.
        self.bar.set_length(sections as u64 + 1);
        self.bar.set_position(section as u64);
        self.bar.set_message(title.to_owned());
    }

    fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }
}

impl runner::Watcher for Progress {
    fn next(&mut self, _done: usize, _total: usize, cell: &Cell) {
        let locks = self.bar.length().unwrap_or(1).saturating_sub(1);
        self.bar.set_position(locks);
        self.bar.set_message(format!("locks: {}", cell.lock));
    }

    fn interrupted(&self) -> bool {
        self.interrupt.requested()
    }
}
