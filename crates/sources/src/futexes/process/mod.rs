//! The processes that are watched, as /proc shows them.
//!
//! - `text`: text that may hold a name of any bytes.
//! - `subject`: whether it can be watched, and what it is called.
//! - `mappings`: what is mapped where; `files`: the files of that, kept open, so that they can be read when the process is gone.
//! - `memory`: all of that over the time of watching.
//! - `lives`: its threads: names, and where their time went.
//! - `processes`: all of that of each process.

mod files;
pub mod fuzzed;
mod lives;
mod mappings;
mod memory;
mod processes;
mod subject;
mod text;

pub use files::{Files, MappedFile};
pub use lives::{Beginning, Lives};
pub use mappings::Mapping;
pub use memory::{InFile, Memory, Spot};
pub use processes::{Observed, Processes};
pub use subject::Subject;
use text::text;
