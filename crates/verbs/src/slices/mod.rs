//! Runs each slice in its own process.
//!
//! A lock that hangs can then be cut off with everything it holds, a peer that crashes affects nothing else, and every round has
//! a different memory layout, so that an accident of addresses is not mistaken for a property of a lock. The parent sends the
//! cell as JSON on the child's standard input; the child answers on its standard output and ends.

mod child;
mod parent;
#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod system;
#[cfg(windows)]
#[path = "windows/mod.rs"]
mod system;

pub use child::serve;
pub use parent::ChildProcess;

use serde::{Deserialize, Serialize};

/// The answer of the child.
#[derive(Serialize, Deserialize)]
enum Answer {
    /// The slice's measurements.
    Measured(Box<locktoll_lab::cell::Slice>),
    /// The reason why there are none.
    Refused(String),
}
