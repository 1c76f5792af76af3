//! The interface for one run of the program, however it is carried out.

use std::time::Duration;

use locktoll_results::trial::{Coverage, WhyDropped};

/// A participant in the tournament: bare, or a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// The unmodified program.
    Bare,
    /// The program on the locks of the candidate with this name.
    Candidate(String),
}

/// Runs the program.
pub trait Runner {
    /// Runs the program once on the contestant's locks, and ends it after `limit` at the latest.
    ///
    /// # Errors
    /// Only what ends the whole trial: the program cannot be started at all, or the user wants to stop.
    fn run(&mut self, contestant: &Contestant, limit: Duration) -> anyhow::Result<Outcome>;
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// With figures, whatever the program's exit code was: the tournament compares the code with the exit codes of bare.
    Done(Figures),
    /// Without figures: ended by a signal or by the time limit, or with nothing that could be compared.
    Failed(WhyDropped),
    /// The user has asked to stop.
    Interrupted,
}

/// The figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The metric; nanoseconds where it is wall time.
    pub metric: f64,
    /// Wall time of the program's run, from start to end.
    pub wall_ns: u64,
    /// Processor time, user and system, of the program and its children.
    pub cpu_ns: u64,
    /// The program's exit code; 0 for a server that ended by SIGTERM, as requested.
    pub exit_code: i32,
    /// The end of the program's standard error, if it wrote anything and the exit code is not 0.
    pub said: Option<String>,
    /// What was replaced; `None` for bare.
    pub coverage: Option<Coverage>,
}
