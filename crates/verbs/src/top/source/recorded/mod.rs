//! Programs that run under `locktoll record`: each maps the file that it records into, and that file can be read meanwhile.
//!
//! - `find`: which file a process records into. `follow`: one such file, from moment to moment, and a copy of it.
//! - `programs`: all of them ([`Recorded`]).

mod find;
mod follow;
mod programs;

pub use programs::Recorded;
