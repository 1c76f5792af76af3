//! The process that is watched, as /proc shows it.
//!
//! - `subject`: whether it can be watched, and what it is called.
//! - `mappings`: what is mapped where; `files`: the files of that, kept open, so that they can be read when the process is gone.
//! - `memory`: all of that over the time of watching.
//! - `lives`: its threads: names, and where their time went.

mod files;
mod lives;
mod mappings;
mod memory;
mod subject;

pub use files::MappedFile;
pub use lives::Lives;
pub use mappings::Mapping;
pub use memory::{InFile, Memory, Spot};
pub use subject::Subject;
