//! The runner that starts processes.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::once::{self, Ran, STOP, Whole};
use super::plan::Plan;
use super::supervisor::Supervisor;
use super::{Contestant, Counted, Figures, Locks, Outcome, Runner, Under, status, strays};
use crate::interrupt::Interrupt;
use crate::report::{Coverage, WhyDropped};

/// Runs the plan's program in processes of its own.
pub struct Processes {
    plan: Plan,
    library: PathBuf,
    /// What the library is told to replace, if not all.
    only: Option<String>,
    /// Where the library counts.
    folder: tempfile::TempDir,
    supervisor: Supervisor,
    /// Exit codes that the program has had without us.
    bare_codes: BTreeSet<i32>,
    /// Whether the server has had to be killed without us, too.
    bare_was_killed: bool,
}

impl Processes {
    /// Nothing is started yet. `library` is the one that replaces locks.
    ///
    /// # Errors
    /// If there is no room for temporary files, or the kernel cannot give us the processes that a program leaves behind.
    pub fn new(plan: Plan, library: PathBuf, interrupt: Interrupt) -> anyhow::Result<Self> {
        strays::adopt().context("processes that a program leaves behind could not be found")?;
        Ok(Self {
            plan,
            library,
            only: None,
            folder: tempfile::tempdir().context("there is no folder for temporary files")?,
            supervisor: Supervisor::new(interrupt),
            bare_codes: BTreeSet::new(),
            bare_was_killed: false,
        })
    }

    /// The exit code to pass on: that of the program without us, if it was the same each time.
    pub fn exit_code(&self) -> u8 {
        match self.bare_codes.iter().collect::<Vec<_>>()[..] {
            [&code] if self.plan.load.is_none() => code as u8,
            _ => 0,
        }
    }

    /// Whether the server ends by SIGTERM within its time when it runs without us.
    pub fn bare_was_killed(&self) -> bool {
        self.bare_was_killed
    }

    fn bare(&mut self, limit: Duration) -> anyhow::Result<Outcome> {
        let ran = once::run(&self.plan, &Under::Nothing, limit, &self.supervisor)?;
        let whole = match ran {
            Ran::Whole(whole) => whole,
            Ran::Failed(why) => return Ok(Outcome::Failed(why)),
            Ran::Interrupted => return Ok(Outcome::Interrupted),
        };
        self.bare_was_killed |= whole.was_killed;
        if !self.is_asked_for(&whole) {
            match whole.status.code() {
                Some(code) => drop(self.bare_codes.insert(code)),
                None => return Ok(Outcome::Failed(status::why(whole.status, whole.said))),
            }
        }
        Ok(figures(whole, None))
    }

    fn candidate(&mut self, name: &str, limit: Duration) -> anyhow::Result<Outcome> {
        let tally = self.folder.path().join("tally");
        Counted::make_file(&tally).context("the file that the library counts in cannot be made")?;
        let under = Under::Locks(Locks {
            library: &self.library,
            candidate: name,
            tally: &tally,
            only: self.only.as_deref(),
        });
        let ran = once::run(&self.plan, &under, limit, &self.supervisor)?;
        let whole = match ran {
            Ran::Whole(whole) => whole,
            Ran::Failed(why) => return Ok(Outcome::Failed(why)),
            Ran::Interrupted => return Ok(Outcome::Interrupted),
        };
        if let Some(why) = self.worse_than_bare(&whole) {
            return Ok(Outcome::Failed(why));
        }
        let counted = Counted::read(&tally).context("what the library counted cannot be read")?;
        if let Some(reason) = not_replaced(&counted) {
            return Ok(Outcome::Failed(WhyDropped::NotReplaced { reason }));
        }
        let coverage = Coverage {
            locks_replaced: counted.replaced(),
            locks_passed_through: counted.passed_through(),
            blocked_time_covered: None,
        };
        Ok(figures(whole, Some(coverage)))
    }

    /// Whether the program ended as it does when it is asked to.
    fn is_asked_for(&self, whole: &Whole) -> bool {
        let asked = self.plan.load.is_some() && whole.status.signal() == Some(libc::SIGTERM);
        asked || whole.was_killed || (self.plan.load.is_some() && whole.status.success())
    }

    /// What is wrong with an end that bare has not had.
    fn worse_than_bare(&self, whole: &Whole) -> Option<WhyDropped> {
        if whole.was_killed {
            return (!self.bare_was_killed).then_some(WhyDropped::TimeLimit {
                limit_ns: STOP.as_nanos() as u64,
            });
        }
        let is_known = match whole.status.code() {
            Some(code) if self.bare_codes.is_empty() => code == 0,
            Some(code) => self.bare_codes.contains(&code),
            None => false,
        };
        (!is_known && !self.is_asked_for(whole))
            .then(|| status::why(whole.status, whole.said.clone()))
    }
}

impl Runner for Processes {
    fn run(&mut self, contestant: &Contestant, limit: Duration) -> anyhow::Result<Outcome> {
        match contestant {
            Contestant::Bare => self.bare(limit),
            Contestant::Candidate(name) => self.candidate(name, limit),
        }
    }
}

fn figures(whole: Whole, coverage: Option<Coverage>) -> Outcome {
    match whole.metric {
        Ok(metric) => Outcome::Done(Figures {
            metric,
            wall_ns: whole.wall_ns,
            cpu_ns: whole.cpu_ns,
            coverage,
        }),
        Err(reason) => Outcome::Failed(WhyDropped::Load { reason }),
    }
}

/// Why the run says nothing of the candidate, if so.
fn not_replaced(counted: &Counted) -> Option<String> {
    if counted.processes == 0 {
        return Some(
            "the library was never loaded: the program starts its work with an environment of its own, or as a program \
             that ignores preload libraries"
                .to_owned(),
        );
    }
    (counted.failures >= counted.processes).then(|| {
        format!(
            "the library could not replace anything in any of the {} processes",
            counted.processes
        )
    })
}
