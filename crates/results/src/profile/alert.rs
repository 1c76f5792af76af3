//! Locks that were held, or waited for, for too long: reported while it happened.

use serde::{Deserialize, Serialize};

use super::frame::Frame;

/// One alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Alert {
    /// When it was raised, nanoseconds after the program's start.
    pub at_ns: u64,
    /// What lasted too long.
    pub kind: AlertKind,
    /// The id of the lock in the recording; its address if it was not known in time.
    pub lock: String,
    /// The name of the lock.
    pub name: String,
    /// How long it had lasted by then, at least, nanoseconds.
    pub ns: u64,
    /// The process.
    pub pid: u32,
    /// The thread that held the lock; `null` if it is not known.
    pub holder: Option<AlertThread>,
    /// The thread that waited longest for the lock; `null` if none waited.
    pub waiter: Option<AlertThread>,
    /// How many threads waited for the lock.
    pub waiters: u64,
    /// All of them, by the places where they waited, the longest wait first.
    #[serde(default)]
    pub waiting: Vec<AlertWaiters>,
}

/// The threads that waited at one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AlertWaiters {
    /// The place; `null` if it is not known.
    pub site: Option<Frame>,
    /// Their thread ids.
    pub tids: Vec<u32>,
    /// How long the first of them had waited, nanoseconds.
    pub longest_ns: u64,
}

/// What lasted too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AlertKind {
    /// A thread held a lock.
    Hold,
    /// A thread waited for a lock.
    Wait,
}

/// A thread of an alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AlertThread {
    /// Thread id.
    pub tid: u32,
    /// Where it acquired the lock, or waited for it; `null` if not known.
    pub site: Option<Frame>,
    /// Its calls at the time of the alert, innermost first; empty if they could not be read.
    pub stack: Vec<Frame>,
    /// The system call in which it was then, with the file that the call is about; `null` if it ran, or if that is not known.
    #[serde(default)]
    pub call: Option<String>,
    /// Why the stack is empty or ends early; `null` if it does not.
    #[serde(default)]
    pub cut: Option<String>,
}

impl AlertThread {
    /// A thread of which nothing but its id and a place is known.
    pub fn at(tid: u32, site: Option<Frame>) -> Self {
        Self {
            tid,
            site,
            stack: Vec::new(),
            call: None,
            cut: None,
        }
    }
}
