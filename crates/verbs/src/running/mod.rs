//! Running programs, as `top` and `agent` read them.
//!
//! - `followed`: a recording that is still being written.
//! - `holders`: who holds the locks of a program now, and deadlocks.
//! - `switches`: context switches by process and cause, counted in the kernel.
//! - `process`: facts about a process.

mod followed;
mod holders;
mod process;
mod switches;

pub use followed::Followed;
pub use holders::{Holders, Stuck, is_named};
pub use process::name_of;
pub use switches::{SwitchCounts, Switches};
