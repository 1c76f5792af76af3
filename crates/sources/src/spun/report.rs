//! What was seen of busy waiting, with names, so that it can be read on another machine.

use locktoll_lab::stats::Estimate;
use locktoll_results::profile::{SpinSamples, Spinning};
use serde::{Deserialize, Serialize};

/// How the name of a row ends that has all further words of a loop, after their number.
pub const OTHER_WORDS: &str = " other words";

/// Busy waiting of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The samples.
    pub samples: SpinSamples,
    /// The CPU time that the samples represent, nanoseconds.
    pub cpu_ns: f64,
    /// The busy waiting of all threads together, nanoseconds.
    pub spin_ns: Estimate,
    /// By place and word, by CPU time.
    pub rows: Vec<Row>,
    /// What could not be found out, in plain sentences.
    pub notes: Vec<String>,
}

/// Busy waiting at one place for one word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The figures. They do not name a lock yet.
    pub spinning: Spinning,
    /// Where the word was, as process and address.
    pub words: Vec<(u32, u64)>,
    /// The time of each thread.
    pub threads: Vec<ThreadShare>,
}

/// The time of one thread at one place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadShare {
    /// Its process.
    pub pid: u32,
    /// Its id.
    pub tid: u32,
    /// CPU time, nanoseconds.
    pub ns: f64,
}
