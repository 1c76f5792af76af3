//! `locktoll attach`.
//!
//! - `run`: the verb.
//! - `subjects`: which processes are meant; `cgroup`: those of a control group.
//! - `place`: where the profile goes.
//! - `words`: what it says on standard error.

mod cgroup;
pub mod flags;
mod place;
mod run;
mod subjects;
mod words;

pub use run::run;
