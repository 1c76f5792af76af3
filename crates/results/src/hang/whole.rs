//! The whole result.

use serde::{Deserialize, Serialize};

use super::{Chain, Deadlock, Edge, HangLock, HangThread};
use crate::Made;

/// One look at a process, or at a core file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HangResult {
    /// `locktoll.hang/1`.
    pub schema: String,
    /// The program that looked.
    pub version: String,
    /// When, where and by which version of locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// The process; for a core file, as it had been numbered.
    pub pid: Option<u32>,
    /// Its command line.
    pub command: Vec<String>,
    /// The core file that was read; `null` for a running process.
    #[serde(default)]
    pub core: Option<String>,
    /// The cost of the look; `null` for a core file.
    pub looked: Option<Looked>,
    /// The threads.
    pub threads: Vec<HangThread>,
    /// The objects that they wait for.
    pub locks: Vec<HangLock>,
    /// Who waits for whom.
    pub edges: Vec<Edge>,
    /// The deadlocks.
    pub deadlocks: Vec<Deadlock>,
    /// The threads for which others wait, the ones with the most waiting threads first.
    pub chains: Vec<Chain>,
    /// What is missing, and what the reader should know.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// The cost of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Looked {
    /// From the beginning of the look to the end of the second look.
    pub duration_ns: u64,
    /// How long threads were stopped.
    pub stops: Stops,
}

/// How long threads were stopped at most, by the clock of the program that stopped them: from the last moment at which the thread was
/// known not to have stopped until it was let go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Stops {
    /// The number of threads that were stopped.
    pub count: u64,
    /// The median.
    pub median_ns: Option<u64>,
    /// The longest.
    pub max_ns: Option<u64>,
}

impl HangResult {
    /// The schema.
    pub const SCHEMA: &str = "locktoll.hang/1";

    /// Returns the thread with this id.
    pub fn thread(&self, tid: u32) -> Option<&HangThread> {
        self.threads.iter().find(|it| it.tid == tid)
    }

    /// Returns the lock with this id.
    pub fn lock(&self, id: &str) -> Option<&HangLock> {
        self.locks.iter().find(|it| it.id == id)
    }
}
