//! One run of the program with other holds.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use locktoll_terminal::interrupt::Interrupt;

use super::change::{Change, Direction};
use super::chosen::Chosen;
use super::play::{Ended, Runs};
use super::rounds::Measured;
use crate::progress_bar::bar;
use crate::trial::{Contestant, Figures, Outcome, Processes, Runner, why_and_last_words};

/// A run may take this many times as long as the longest one so far,
const LIMIT_FACTOR: f64 = 10.0;
/// plus this: starting and stopping count too.
const LIMIT_MORE: Duration = Duration::from_secs(5);

/// Runs the program in processes, under the library that changes holds.
pub struct Changed<'a> {
    processes: &'a mut Processes,
    chosen: &'a [Chosen],
    deadline: Instant,
    interrupt: Interrupt,
    longest: Duration,
    bar: ProgressBar,
    /// Whether the metric is the time of the program, or of its load.
    is_wall_time: bool,
    /// Whether every run without a change has ended with exit code 0.
    base_succeeds: bool,
}

impl<'a> Changed<'a> {
    /// Nothing runs beyond `deadline`.
    pub fn new(
        processes: &'a mut Processes,
        chosen: &'a [Chosen],
        deadline: Instant,
        interrupt: Interrupt,
        is_wall_time: bool,
    ) -> Self {
        Self {
            processes,
            chosen,
            deadline,
            interrupt,
            longest: Duration::ZERO,
            bar: bar(1, "{bar:30} {msg}"),
            is_wall_time,
            base_succeeds: true,
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn limit(&self) -> Duration {
        match self.longest {
            Duration::ZERO => self.left(),
            longest => (longest.mul_f64(LIMIT_FACTOR) + LIMIT_MORE).min(self.left()),
        }
    }
}

impl Runs for Changed<'_> {
    fn run(&mut self, lock: usize, change: Change) -> anyhow::Result<Ended> {
        if self.interrupt.requested() || self.left().is_zero() {
            return Ok(Ended::Stopped);
        }
        self.processes.replace_only(self.chosen[lock].only.clone());
        let limit = self.limit();
        let is_cut_short = limit == self.left();
        let began = Instant::now();
        let name = change.direction.candidate(change.percent);
        let outcome = self.processes.run(&Contestant::Candidate(name), limit)?;
        Ok(match outcome {
            Outcome::Done(figures) if figures.exit_code != 0 && change.percent == 0 => {
                self.base_succeeds = false;
                self.longest = self.longest.max(began.elapsed());
                self.counts(&figures, change)
            }
            Outcome::Done(figures) if figures.exit_code != 0 && self.base_succeeds => {
                Ended::Failed(format!(
                    "the program exited with code {}; without a change of holds, it does not",
                    figures.exit_code
                ))
            }
            Outcome::Done(figures) => {
                self.longest = self.longest.max(began.elapsed());
                self.counts(&figures, change)
            }
            Outcome::Failed(_) if is_cut_short && began.elapsed() >= limit => Ended::Stopped,
            Outcome::Failed(why) => Ended::Failed(why_and_last_words(&why)),
            Outcome::Interrupted => Ended::Stopped,
        })
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    fn next(&mut self, round: usize, rounds: usize) {
        self.bar.set_length(rounds as u64);
        self.bar.set_position(round as u64 - 1);
        self.bar.set_message(format!("round {round} of {rounds}"));
    }
}

impl Changed<'_> {
    fn counts(&self, figures: &Figures, change: Change) -> Ended {
        let (saved_ns, processes) = self.processes.saved();
        if processes == 0 && change.direction == Direction::Fast {
            return Ended::Failed(
                "the lock was not held in this run: the program may have changed in the meantime, or may have acquired the lock in another way"
                    .to_owned(),
            );
        }
        if processes > 1 {
            return Ended::Failed(format!(
                "the lock was held in {processes} processes, and only the threads of one process can be delayed for each other"
            ));
        }
        // A load measures a part of the server's time, and holds are sped up while it does.
        let measured_ns = match self.is_wall_time {
            true => figures.metric,
            false => figures.wall_ns as f64,
        };
        let delays = saved_ns as f64 / measured_ns.max(1.0);
        if delays >= 1.0 {
            return Ended::Failed(
                "several threads hold the lock for most of the time, so the delays take longer than the program"
                    .to_owned(),
            );
        }
        Ended::Counts(Measured {
            metric: figures.metric,
            wall_ns: figures.wall_ns,
            cpu_ns: figures.cpu_ns,
            delays,
        })
    }
}
