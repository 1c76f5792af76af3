//! An object that threads wait for.

use serde::{Deserialize, Serialize};

use crate::profile::Frame;

/// An object that threads wait for, and its holder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HangLock {
    /// Distinguishes it within this result: its address in hexadecimal.
    pub id: String,
    /// The variable that contains it, or else the place where threads wait for it.
    pub name: String,
    /// The kind of object.
    pub kind: ObjectKind,
    /// The thread that holds it; `null` if that is not known, or if no single thread does.
    pub owner_tid: Option<u32>,
    /// The place where the holder acquired it; known only if the program runs under `record`.
    pub owner_site: Option<Frame>,
    /// Where the holder is known from.
    #[serde(default)]
    pub owner_known_by: Option<HolderKnownBy>,
    /// How long the holder has held it; known only for holds that the recorder timed.
    #[serde(default)]
    pub held_ns: Option<u64>,
    /// The acquisition with which the hold began, if the program runs under `record`: the address and the value of the recorder's count.
    /// Two results have the same one only if the holder has not released the lock in between. Not in any document, since it means
    /// nothing in another run.
    #[serde(skip)]
    pub acquisition: Option<(u64, u64)>,
    /// Why no holder is given, or what else is to be known about the holder.
    #[serde(default)]
    pub note: Option<String>,
    /// The number of threads that wait for it.
    pub waiting: u64,
}

/// The kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ObjectKind {
    /// A mutex.
    Mutex,
    /// A reader-writer lock.
    Rwlock,
    /// A condition variable.
    Condvar,
    /// A semaphore.
    Semaphore,
    /// A barrier.
    Barrier,
    /// A futex word of another kind of object.
    Futex,
}

impl ObjectKind {
    /// Returns its name in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Mutex => "mutex",
            Self::Rwlock => "rwlock",
            Self::Condvar => "condition variable",
            Self::Semaphore => "semaphore",
            Self::Barrier => "barrier",
            Self::Futex => "futex word",
        }
    }
}

/// Where a holder is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HolderKnownBy {
    /// The lock's own memory names it.
    Lock,
    /// The recording in progress: the thread's list of locks.
    Recording,
}
