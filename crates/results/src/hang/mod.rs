//! The result of `hang`: the schema `locktoll.hang/1`. Times are nanoseconds.
//!
//! - `whole`: the result; `thread`: a thread and what it waits for; `lock`: an object that threads wait for, and its holder;
//!   `graph`: who waits for whom.

mod graph;
mod lock;
mod thread;
mod whole;

pub use graph::{Chain, Deadlock, Edge};
pub use lock::{HangLock, HolderKnownBy, ObjectKind};
pub use thread::{HangThread, SystemCall, WaitsFor};
pub use whole::{HangResult, Looked, Stops};
