//! What works here and what does not, and the command that would allow it.
//!
//! - [`reading`]: plain facts about this system, read and never changed. Tests make up their own.
//! - [`findings`]: from facts to findings, one file per group; pure.
//! - [`remedy`]: the commands that would allow the rest in the situation that the facts describe; pure.
//! - `windows`: the reading, the findings and the refusal on Windows.
//! - `tracing_attempt`: loads a program that does nothing, as a real test.
//! - [`refusal()`]: the one line with which a verb ends when it cannot work here; [`explained()`] puts it in place of the
//!   kernel's message.

#[cfg(target_os = "linux")]
mod capability;
#[cfg(target_os = "linux")]
mod explained;
#[cfg(target_os = "linux")]
mod findings;
#[cfg(target_os = "linux")]
mod kernel_version;
#[cfg(target_os = "linux")]
pub mod reading;
#[cfg(target_os = "linux")]
mod refusal;
mod remedy;
#[cfg(target_os = "linux")]
mod tracing_attempt;
#[cfg(windows)]
mod windows;

#[cfg(all(test, target_os = "linux"))]
pub mod made_up;

#[cfg(target_os = "linux")]
pub use capability::{Capabilities, Capability};
#[cfg(target_os = "linux")]
pub use explained::explained;
#[cfg(target_os = "linux")]
pub use findings::{examine, no_slice_extension};
#[cfg(target_os = "linux")]
pub use kernel_version::KernelVersion;
#[cfg(target_os = "linux")]
pub use reading::Reading;
#[cfg(target_os = "linux")]
pub use refusal::refusal;
#[cfg(windows)]
pub use windows::{Reading, examine, refusal};
