//! The schema `locktoll.doctor/1`: what works here, what does not, and the command that would allow it.
//!
//! - `finding`: what was found out about one thing; `remedy`: what would allow it; `remedy_line`: in one line.
//! - `tracing`: what findings say of verbs that load programs into the kernel.
//! - `verb`: what a finding may concern; `composed`: verbs that are made of others, or need nothing; `verdict`: findings to one word a verb.
//! - `result`: all of it.

mod composed;
mod finding;
mod remedy;
mod remedy_line;
mod result;
mod tracing;
mod verb;
mod verdict;

pub use finding::{Concern, Effect, Finding, State};
pub use remedy::{Remedy, Where};
pub use result::DoctorResult;
pub use verb::Verb;
pub use verdict::{Verdict, Word, verdict, verdicts};
