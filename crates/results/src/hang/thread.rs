//! A thread, and what it waits for.

use serde::{Deserialize, Serialize};

use crate::profile::Frame;

/// A thread at the time of the look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HangThread {
    /// Its id on this system or, from a core file, in the process.
    pub tid: u32,
    /// Its name.
    pub name: String,
    /// What it waits for.
    pub waits_for: WaitsFor,
    /// [`HangLock::id`](super::HangLock::id) of the object that it waits for.
    pub lock: Option<String>,
    /// How long it has waited; `null` if that is not known.
    pub since_ns: Option<u64>,
    /// For how long it is known not to have run, from one look to the next (`--watch`); `null` if it has run, or was not seen
    /// before.
    #[serde(default)]
    pub unmoved_ns: Option<u64>,
    /// The thread whose end it waits for.
    #[serde(default)]
    pub joins_tid: Option<u32>,
    /// The system call in which it sleeps.
    #[serde(default)]
    pub call: Option<SystemCall>,
    /// Whether the wait ends by itself at a deadline.
    #[serde(default)]
    pub has_deadline: bool,
    /// Whether it merely sleeps or waits for work, and no thread waits for it. Such threads are counted in text, and not listed
    /// without `--all`.
    #[serde(default)]
    pub is_idle: bool,
    /// Its calls, innermost first.
    pub stack: Vec<Frame>,
    /// Why the outermost calls are missing, if they are.
    #[serde(default)]
    pub stack_cut: Option<String>,
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WaitsFor {
    /// A mutex.
    Mutex,
    /// A reader-writer lock.
    Rwlock,
    /// A condition variable's signal.
    Condvar,
    /// A semaphore.
    Semaphore,
    /// The other threads at a barrier.
    Barrier,
    /// A futex word of another kind of object.
    Futex,
    /// The end of another thread.
    Join,
    /// A system call that has nothing to do with locks.
    SystemCall,
    /// Nothing: it runs, or would if it had a CPU.
    Nothing,
}

/// A system call in which a thread sleeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SystemCall {
    /// Its name; its number if it has no name here.
    pub name: String,
    /// The file descriptor that it is about.
    pub fd: Option<i32>,
    /// What that descriptor leads to: a path, or the kernel's description, such as `pipe:[123]`.
    pub file: Option<String>,
}
