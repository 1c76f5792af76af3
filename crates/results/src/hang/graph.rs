//! Who waits for whom.

use serde::{Deserialize, Serialize};

/// A thread waits for another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Edge {
    /// The thread that waits.
    pub from_tid: u32,
    /// The lock that it waits for; `null` if it waits for the end of the other thread.
    pub lock: Option<String>,
    /// The thread that holds the lock, or whose end is waited for.
    pub to_tid: u32,
    /// Whether a second look found the same wait and the same holder. Always true for a core file, in which nothing moves.
    pub confirmed: bool,
    /// Whether the wait ends by itself at a deadline.
    pub has_deadline: bool,
}

/// Threads that wait for each other in a cycle, so that none of them can continue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Deadlock {
    /// The threads: each waits for the next one, and the last for the first.
    pub threads: Vec<u32>,
    /// The locks in the order of the threads that wait for them. A thread that waits for another's end has none here.
    pub locks: Vec<String>,
}

/// Threads that wait, directly or indirectly, for one thread that does not wait for any other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Chain {
    /// The thread for which all others wait.
    pub root_tid: u32,
    /// The number of threads that wait for it, directly or indirectly.
    pub waiting: u64,
    /// The locks and ends that they wait for directly, the ones with the most threads first.
    #[serde(default)]
    pub locks: Vec<String>,
}
