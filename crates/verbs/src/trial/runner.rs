//! The interface of one run of the program, by any means.

use std::time::Duration;

use locktoll_results::trial::{Coverage, WhyDropped};

/// One that plays: bare, or a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// The program without us.
    Bare,
    /// The program on the locks of this candidate's name.
    Candidate(String),
}

/// Runs the program.
pub trait Runner {
    /// Runs the program once on the contestant's locks, for at most `limit`; ends it then.
    ///
    /// # Errors
    /// Only for what ends the whole trial: the program cannot be started at all, or the user wants to stop.
    fn run(&mut self, contestant: &Contestant, limit: Duration) -> anyhow::Result<Outcome>;
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// With figures, whatever the program's exit code was: the tournament compares that with the code under bare.
    Done(Figures),
    /// Without: ended by a signal, at the limit of time, or with nothing that could be compared.
    Failed(WhyDropped),
    /// The user has asked to stop.
    Interrupted,
}

/// What a run yields.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The metric; nanoseconds where it is wall time.
    pub metric: f64,
    /// Wall time of the program's run, from start to end.
    pub wall_ns: u64,
    /// Processor time, user and system, of the program and its children.
    pub cpu_ns: u64,
    /// The program's exit code. Of a server that was stopped by SIGTERM as it should be: 0.
    pub exit_code: i32,
    /// The end of its standard error, if it said anything and the exit code is not 0.
    pub said: Option<String>,
    /// What was replaced; `None` of bare.
    pub coverage: Option<Coverage>,
}
