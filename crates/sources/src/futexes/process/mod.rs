//! The processes that are watched, as /proc shows them.
//!
//! - `subject`: whether it can be watched, and its name.
//! - `files`: the files that code is mapped from, kept open, so that they can be read after the process has
//!   ended.
//! - `memory`: the mappings over the time of watching.
//! - `lives`: its threads: names, and where their time went.
//! - `processes`: all of that for each process.

mod files;
pub mod fuzzed;
mod lives;
mod memory;
mod processes;
mod subject;

pub use files::{Files, MappedFile};
pub use lives::{Beginning, Lives};
pub use memory::{InFile, Memory, Spot};
pub use processes::{Observed, Processes};
pub use subject::Subject;
pub(crate) use subject::has_ended;
