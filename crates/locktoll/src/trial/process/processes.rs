//! The runner that starts processes.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::once::{self, Ran, STOP, Whole};
use super::subject::Subject;
use super::supervisor::Supervisor;
use super::{Counted, Locks, Under, status, strays};
use crate::interrupt::Interrupt;
use crate::report::{Coverage, WhyDropped};
use crate::trial::{Contestant, Figures, Outcome, Runner};

/// Runs the subject in processes of its own.
pub struct Processes {
    subject: Subject,
    library: PathBuf,
    /// What the library is told to replace, if not all.
    only: Option<String>,
    /// Where the library counts.
    folder: tempfile::TempDir,
    supervisor: Supervisor,
    /// Whether the server has had to be killed without us, too.
    bare_was_killed: bool,
}

impl Processes {
    /// Nothing is started yet. `library` is the one that replaces locks.
    ///
    /// # Errors
    /// If there is no room for temporary files, or the kernel cannot give us the processes that a program leaves behind.
    pub fn new(subject: Subject, library: PathBuf, interrupt: Interrupt) -> anyhow::Result<Self> {
        strays::adopt().context("processes that a program leaves behind could not be found")?;
        Ok(Self {
            subject,
            library,
            only: None,
            folder: tempfile::tempdir().context("there is no folder for temporary files")?,
            supervisor: Supervisor::new(interrupt),
            bare_was_killed: false,
        })
    }

    /// Whether the server had to be killed when it ran without us: it does not end by SIGTERM in its time.
    pub fn bare_was_killed(&self) -> bool {
        self.bare_was_killed
    }

    fn bare(&mut self, limit: Duration) -> anyhow::Result<Outcome> {
        let ran = once::run(&self.subject, &Under::Nothing, limit, &self.supervisor)?;
        Ok(whole(ran).map_or_else(
            |outcome| outcome,
            |whole| {
                self.bare_was_killed |= whole.was_killed;
                self.figures(whole, None)
            },
        ))
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
        let ran = once::run(&self.subject, &under, limit, &self.supervisor)?;
        let whole = match whole(ran) {
            Ok(whole) => whole,
            Err(outcome) => return Ok(outcome),
        };
        if whole.was_killed && !self.bare_was_killed {
            return Ok(Outcome::Failed(WhyDropped::TimeLimit {
                limit_ns: STOP.as_nanos() as u64,
            }));
        }
        let counted = Counted::read(&tally).context("what the library counted cannot be read")?;
        let coverage = Coverage {
            locks_replaced: counted.replaced(),
            replaced: counted.replaced_by_kind(),
            locks_passed_through: counted.passed_through(),
            blocked_time_covered: None,
        };
        Ok(
            match (self.figures(whole, Some(coverage)), not_replaced(&counted)) {
                (Outcome::Done(_), Some(reason)) => {
                    Outcome::Failed(WhyDropped::NotReplaced { reason })
                }
                (outcome, _) => outcome,
            },
        )
    }

    fn figures(&self, whole: Whole, coverage: Option<Coverage>) -> Outcome {
        let is_server = self.subject.load.is_some();
        let stopped_as_asked =
            is_server && (whole.was_killed || whole.status.signal() == Some(libc::SIGTERM));
        let exit_code = match whole.status.code() {
            Some(code) => code,
            None if stopped_as_asked => 0,
            None => return Outcome::Failed(status::why(whole.status, whole.said)),
        };
        match whole.metric {
            Ok(metric) => Outcome::Done(Figures {
                metric,
                wall_ns: whole.wall_ns,
                cpu_ns: whole.cpu_ns,
                exit_code,
                said: whole.said.filter(|_| exit_code != 0),
                coverage,
            }),
            // Where it failed, that is why there is no figure.
            Err(_) if exit_code != 0 && !is_server => {
                Outcome::Failed(status::why(whole.status, whole.said))
            }
            Err(reason) => Outcome::Failed(WhyDropped::Load { reason }),
        }
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

/// A run that came to its end, or what else is to be said of it.
fn whole(ran: Ran) -> Result<Whole, Outcome> {
    match ran {
        Ran::Whole(whole) => Ok(whole),
        Ran::Failed(why) => Err(Outcome::Failed(why)),
        Ran::Interrupted => Err(Outcome::Interrupted),
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
