//! Programs that run under `locktoll record`: each maps the file into which it records, and that file can be read meanwhile.
//!
//! - `follow`: one such file, from moment to moment, and a copy of it.
//! - `programs`: all such programs ([`Recorded`]).

mod follow;
mod programs;

pub use programs::Recorded;
