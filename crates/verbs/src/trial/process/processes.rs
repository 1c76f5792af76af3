//! The runner that starts processes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::one_run;
use super::one_run::{Ran, STOP, Whole};
use super::subject::Subject;
use super::supervisor::Supervisor;
use super::{Blocked, Counted, Locks, Preloaded, Recorded, recorded, status};
use crate::trial::{Contestant, Figures, Outcome, PASS_THROUGH, Runner};
use locktoll_substitute::candidate::SLICE_SUFFIX;

use locktoll_results::trial::{Coverage, WhyDropped};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::system::files::private_folder;

/// Runs the subject in separate processes.
pub struct Processes {
    subject: Subject,
    library: PathBuf,
    /// The time limit for one run, if the user has set one.
    timeout: Option<Duration>,
    /// The only locks that the library is told to replace; `None` for all.
    only: Option<OsString>,
    /// Where the threads of a recorded run were blocked.
    blocked: Option<Blocked>,
    /// The folder of the file that the library counts in.
    folder: tempfile::TempDir,
    supervisor: Supervisor,
    /// Whether the server had to be killed even on its own locks.
    bare_was_killed: bool,
    /// Whether a run has shown that the program has real-time threads: no lock is tried after that.
    is_real_time: bool,
    /// What the library counted in the last run with it.
    counted: Counted,
    /// Exit codes that the unmodified program has had.
    bare_codes: BTreeSet<i32>,
}

impl Processes {
    /// Creates the runner and starts nothing yet. Requires that [`adopt_strays`](crate::run_program::launch::adopt_strays) has
    /// been called. `library` is the library that replaces locks.
    ///
    /// # Errors
    /// If the folder for temporary files cannot be created.
    pub fn new(
        subject: Subject,
        timeout: Option<Duration>,
        library: PathBuf,
        interrupt: Interrupt,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            subject,
            library,
            timeout,
            only: None,
            blocked: None,
            folder: private_folder(".locktoll-try-").context("no folder for temporary files")?,
            supervisor: Supervisor::new(interrupt),
            bare_was_killed: false,
            is_real_time: false,
            counted: Counted::default(),
            bare_codes: BTreeSet::new(),
        })
    }

    /// Whether the server had to be killed in a bare run because it does not end by SIGTERM in time.
    pub fn bare_was_killed(&self) -> bool {
        self.bare_was_killed
    }

    /// Runs the subject once under the recorder, for at most `limit`.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn record(&self, limit: Duration) -> anyhow::Result<Recorded> {
        let limit = self.at_most(limit);
        recorded::run(&self.subject, limit, &self.supervisor, self.folder.path())
    }

    /// Takes note of what a recorded run has shown.
    pub fn is_blocked(&mut self, blocked: Blocked) {
        self.blocked = Some(blocked);
    }

    /// Restricts the replacement to these locks, given in the library's own notation.
    pub fn replace_only(&mut self, only: OsString) {
        self.only = Some(only);
    }

    /// Returns the exit code to pass on: the unmodified program's, if it was the same each time.
    pub fn exit_code(&self) -> u8 {
        match (self.bare_codes.len(), self.bare_codes.first()) {
            (1, Some(&code)) => code as u8,
            _ => 0,
        }
    }

    /// Returns the time that sped-up holds saved in the last run, in nanoseconds, and the number of processes in which they did.
    pub fn saved(&self) -> (u64, u64) {
        (self.counted.saved_ns, self.counted.saving_processes)
    }

    fn at_most(&self, limit: Duration) -> Duration {
        self.timeout.map_or(limit, |timeout| timeout.min(limit))
    }

    fn bare(&mut self, limit: Duration) -> anyhow::Result<Outcome> {
        let ran = one_run::run(&self.subject, &Preloaded::Nothing, limit, &self.supervisor)?;
        let whole = match whole(ran) {
            Ok(whole) => whole,
            Err(outcome) => return Ok(*outcome),
        };
        self.bare_was_killed |= whole.was_killed;
        let outcome = self.figures(whole, None);
        if let Outcome::Done(figures) = &outcome {
            self.bare_codes.insert(figures.exit_code);
        }
        Ok(outcome)
    }

    fn candidate(&mut self, name: &str, limit: Duration) -> anyhow::Result<Outcome> {
        if self.is_real_time && name != PASS_THROUGH {
            return Ok(real_time());
        }
        let tally = self.folder.path().join("tally");
        Counted::make_file(&tally)
            .context("the file for the library's counters cannot be created")?;
        let preloaded = Preloaded::Locks(Locks {
            library: &self.library,
            candidate: name,
            tally: &tally,
            only: self.only.as_deref(),
        });
        let ran = one_run::run(&self.subject, &preloaded, limit, &self.supervisor)?;
        let counted = Counted::read(&tally).context("the library's counters cannot be read")?;
        self.counted = counted;
        if counted.real_time > 0 && !matches!(ran, Ran::Interrupted) {
            // Even if the run failed: the real-time thread may be the cause.
            self.is_real_time = true;
            return Ok(real_time());
        }
        let whole = match whole(ran) {
            Ok(whole) => whole,
            Err(outcome) => return Ok(*outcome),
        };
        if whole.was_killed && !self.bare_was_killed {
            return Ok(Outcome::Failed(WhyDropped::TimeLimit {
                limit_ns: STOP.as_nanos() as u64,
            }));
        }
        let coverage = Coverage {
            locks_replaced: counted.replaced(),
            replaced: counted.replaced_by_kind(),
            locks_passed_through: counted.passed_through(),
            blocked_time_covered: self.blocked.and_then(|it| it.covered(&counted)),
            slice_extension: name
                .ends_with(SLICE_SUFFIX)
                .then_some(counted.slice_extension),
        };
        let not_replaced = not_replaced(&counted)
            .or_else(|| self.nothing_of_only(name, &counted))
            .or_else(|| without_slice_extension(&counted));
        Ok(match (self.figures(whole, Some(coverage)), not_replaced) {
            (Outcome::Done(_), Some(reason)) => Outcome::Failed(WhyDropped::NotReplaced { reason }),
            (outcome, _) => outcome,
        })
    }

    /// Returns the reason for dropping a candidate if one lock was asked for and the run had no such lock.
    fn nothing_of_only(&self, name: &str, counted: &Counted) -> Option<String> {
        let is_expected = self.only.is_some() && name != PASS_THROUGH;
        (is_expected && counted.replaced() == 0).then(|| {
            "no lock of the run was the one that --only names: the program may have changed in the meantime, or may \
             have acquired the lock in another way"
                .to_owned()
        })
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
            // A program that failed prints no figure: the failure is the reason to report.
            Err(_) if exit_code != 0 && !is_server => {
                Outcome::Failed(status::why(whole.status, whole.said))
            }
            Err(reason) => Outcome::Failed(WhyDropped::Load { reason }),
        }
    }
}

impl Runner for Processes {
    fn run(&mut self, contestant: &Contestant, limit: Duration) -> anyhow::Result<Outcome> {
        let limit = self.at_most(limit);
        match contestant {
            Contestant::Bare => self.bare(limit),
            Contestant::Candidate(name) => self.candidate(name, limit),
        }
    }
}

/// Returns the run if it came to its end, otherwise the outcome to report.
fn whole(ran: Ran) -> Result<Whole, Box<Outcome>> {
    match ran {
        Ran::Whole(whole) => Ok(whole),
        Ran::Failed(why) => Err(Box::new(Outcome::Failed(why))),
        Ran::Interrupted => Err(Box::new(Outcome::Interrupted)),
    }
}

/// The outcome of a lock on a program with real-time threads.
fn real_time() -> Outcome {
    Outcome::Failed(WhyDropped::NotReplaced {
        reason: one_run::REAL_TIME.to_owned(),
    })
}

/// Returns the reason why the run shows nothing about the candidate, if there is one.
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

/// Returns the reason for dropping a candidate whose holders were to request time slice extensions, if no thread could.
fn without_slice_extension(counted: &Counted) -> Option<String> {
    let extension = counted.slice_extension;
    (extension.threads == 0 && extension.threads_without > 0).then(|| {
        "no thread of the program could request a time slice extension: the program's C library registers no rseq(2) areas that include it"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;

    use super::super::{Input, Load, Ready};
    use super::*;

    fn processes(is_server: bool) -> Processes {
        let subject = Subject {
            command: vec!["true".into()],
            program: "/bin/true".into(),
            input: Input::Nothing,
            load: is_server.then(|| Load {
                command: "true".to_owned(),
                ready: Ready::Listens,
            }),
            metric: None,
        };
        let interrupt = Interrupt::listen().unwrap();
        Processes::new(subject, None, "x.so".into(), interrupt).unwrap()
    }

    /// Says how a run with this wait status counts.
    fn told(is_server: bool, status: i32, was_killed: bool, metric: Result<f64, &str>) -> String {
        let whole = Whole {
            metric: metric.map_err(str::to_owned),
            wall_ns: 1,
            cpu_ns: 1,
            status: ExitStatus::from_raw(status),
            was_killed,
            said: Some("words".to_owned()),
        };
        match processes(is_server).figures(whole, None) {
            Outcome::Done(it) => format!("done {} {:?}", it.exit_code, it.said),
            Outcome::Failed(WhyDropped::Signal { number, .. }) => format!("signal {number}"),
            Outcome::Failed(WhyDropped::ExitCode { code, .. }) => format!("code {code}"),
            Outcome::Failed(WhyDropped::Load { reason }) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_candidate_whose_threads_get_no_time_slice_extension_shows_nothing() {
        let counted = |threads, threads_without| {
            let mut counted = Counted::made_up([1, 0, 0, 0], [0; 4]);
            counted.slice_extension.threads = threads;
            counted.slice_extension.threads_without = threads_without;
            without_slice_extension(&counted)
        };
        assert!(counted(0, 3).unwrap().contains("time slice extension"));
        // No lock was held, some threads could, or the candidate does not request any.
        assert_eq!([counted(0, 0), counted(1, 2)], [None, None]);
    }

    #[test]
    fn a_server_may_be_ended_by_our_signal_and_a_program_by_none() {
        let code = |code: i32| code << 8;
        for (is_server, status, was_killed, expected) in [
            (false, 0, false, "done 0 None"),
            (false, code(3), false, "done 3 Some(\"words\")"),
            (false, libc::SIGTERM, false, "signal 15"),
            (true, libc::SIGTERM, false, "done 0 None"),
            (true, libc::SIGKILL, true, "done 0 None"),
            (true, libc::SIGKILL, false, "signal 9"),
            (true, code(3), false, "done 3 Some(\"words\")"),
        ] {
            let found = told(is_server, status, was_killed, Ok(1.0));
            assert_eq!(found, expected, "{is_server} {status} {was_killed}");
        }
        // Without a figure, a program's own failure is the reason.
        let none = Err("no figure");
        assert_eq!(told(false, code(3), false, none), "code 3");
        assert_eq!(told(false, 0, false, none), "no figure");
        assert_eq!(told(true, code(3), false, none), "no figure");
    }

    #[test]
    fn the_shorter_limit_and_the_only_code_are_taken() {
        let mut processes = processes(false);
        let seconds = Duration::from_secs;
        assert_eq!(processes.at_most(seconds(5)), seconds(5));
        processes.timeout = Some(seconds(3));
        assert_eq!(processes.at_most(seconds(5)), seconds(3));
        assert_eq!(processes.at_most(seconds(2)), seconds(2));
        processes.bare_codes.insert(7);
        assert_eq!(processes.exit_code(), 7);
        processes.bare_codes.insert(0);
        assert_eq!(processes.exit_code(), 0);
    }

    #[test]
    fn a_library_that_replaced_nothing_shows_nothing() {
        let mut counted = Counted::default();
        let why = not_replaced(&counted).unwrap();
        assert!(why.starts_with("the library was never loaded"), "{why}");
        (counted.processes, counted.failures) = (3, 2);
        assert_eq!(not_replaced(&counted), None);
        counted.failures = 3;
        assert!(
            not_replaced(&counted)
                .unwrap()
                .contains("of the 3 processes")
        );
    }

    #[test]
    fn the_only_lock_must_be_there_unless_nothing_is_replaced() {
        let mut processes = processes(false);
        let none = Counted::default();
        assert_eq!(processes.nothing_of_only("ticket", &none), None);
        processes.replace_only("object:/p:10".into());
        assert!(processes.nothing_of_only("ticket", &none).is_some());
        assert_eq!(processes.nothing_of_only(PASS_THROUGH, &none), None);
        let one = Counted::made_up([1, 0, 0, 0], [0; 4]);
        assert_eq!(processes.nothing_of_only("ticket", &one), None);
    }
}
