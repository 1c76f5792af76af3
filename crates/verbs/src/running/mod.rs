//! Running programs, as `top` and `agent` read them.
//!
//! - `followed`: a recording that is still being written. `shared_names`: names that several such recordings use. `increments`: what it gains
//!   from one reading to the next.
//! - `holders`: who holds the locks of a program now, and deadlocks.
//! - `switches`: context switches by process and cause, counted in the kernel.
//! - `process`: facts about a process.

mod followed;
mod holders;
mod increments;
mod process;
mod shared_names;
mod switches;

pub use followed::Followed;
pub use holders::{Holders, Stuck, is_named};
pub use increments::Increments;
pub use process::name_of;
pub use shared_names::SharedNames;
pub use switches::{SwitchCounts, Switches};
