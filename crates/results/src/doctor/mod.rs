//! The schema `locktoll.doctor/1`: what works here, what does not, and the command that would allow it.
//!
//! - `finding`: the finding about one subject; `remedy`: what would allow it; `remedy_line`: the same in one line.
//! - `tracing`: findings about verbs that load programs into the kernel.
//! - `verb`: the verbs that a finding may concern; `composed`: verbs that are composed of others, or need nothing; `verdict`: from
//!   findings to one word for each verb.
//! - `result`: the whole result.

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
