//! `locktoll attach`.
//!
//! - `run`: the verb.
//! - `subjects`: the processes to watch; `cgroup`: those of a control group.
//! - `place`: the destination of the profile.
//! - `words`: its messages on standard error.

mod cgroup;
pub mod flags;
mod place;
mod run;
mod subjects;
mod words;

pub use run::run;
