//! Runs the program with other numbers of threads.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use locktoll_terminal::failure::Failure;
use locktoll_terminal::interrupt::Interrupt;

use super::sweep::{Ended, ThreadRuns};
use super::threads_flag::ThreadsFlag;
use crate::advise::flags::AdviseArgs;
use crate::trial::{Contestant, Outcome, Processes, Runner, Wanted, subject, why_and_last_words};

/// One runner for each number of threads.
pub struct Numbers {
    processes: Vec<Processes>,
    deadline: Instant,
    interrupt: Interrupt,
}

impl Numbers {
    /// Prepares the runs, and starts nothing.
    ///
    /// # Errors
    /// As for `try`: a program that cannot be run, a wrong metric or load.
    pub fn new(
        flag: &ThreadsFlag,
        numbers: &[u32],
        args: &AdviseArgs,
        deadline: Instant,
        interrupt: Interrupt,
    ) -> Result<Self, Failure> {
        let of = |threads: &u32| {
            let command = flag.command(*threads);
            let (subject, _) = subject(wanted(args, &command))?;
            // No run has a library in front of it.
            Ok(Processes::new(
                subject,
                None,
                PathBuf::new(),
                interrupt.clone(),
            )?)
        };
        Ok(Self {
            processes: numbers.iter().map(of).collect::<Result<_, Failure>>()?,
            deadline,
            interrupt,
        })
    }
}

/// Returns what is to be run, for the checks that `try` makes.
pub fn wanted<'a>(args: &'a AdviseArgs, command: &'a [std::ffi::OsString]) -> Wanted<'a> {
    Wanted {
        command,
        load: args.load.as_deref(),
        ready: args.ready.as_deref(),
        metric: args.metric.as_deref(),
        rounds: None,
    }
}

impl ThreadRuns for Numbers {
    fn run(&mut self, index: usize) -> anyhow::Result<Ended> {
        let left = self.left();
        if self.interrupt.requested() || left.is_zero() {
            return Ok(Ended::Stopped);
        }
        let began = Instant::now();
        Ok(match self.processes[index].run(&Contestant::Bare, left)? {
            Outcome::Done(figures) if figures.exit_code == 0 => Ended::Counts(figures.metric),
            Outcome::Done(figures) => {
                Ended::Failed(format!("it exited with code {}", figures.exit_code))
            }
            Outcome::Failed(_) if began.elapsed() >= left => Ended::Stopped,
            Outcome::Failed(why) => Ended::Failed(why_and_last_words(&why)),
            Outcome::Interrupted => Ended::Stopped,
        })
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}
