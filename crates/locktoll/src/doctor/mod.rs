//! What works here and what does not, and the command that would allow it.
//!
//! - [`reading`]: plain facts about this system, read and never changed. Tests make one up.
//! - [`findings`]: facts to [`Finding`]s, a file a group; pure.
//! - [`remedy`]: what would allow what is missing, in the situation that the facts describe; pure.
//! - `trial`: a program that does nothing, loaded for real.
//! - [`verdict`]: findings to one word a verb.
//! - [`refusal()`]: the one line that a verb ends with when it cannot work here; [`explained()`] puts it in the place of what
//!   the kernel said.

mod capability;
mod explained;
mod finding;
mod findings;
mod kernel_version;
pub mod reading;
mod refusal;
mod remedy;
mod trial;
mod verb;
mod verdict;

#[cfg(test)]
pub mod made_up;

pub use capability::{Capabilities, Capability};
pub use explained::explained;
pub use finding::{Concern, Effect, Finding, State};
pub use findings::examine;
pub use kernel_version::KernelVersion;
pub use reading::Reading;
pub use refusal::refusal;
pub use remedy::{Remedy, Where};
pub use verb::Verb;
pub use verdict::{Verdict, Word, verdicts};
