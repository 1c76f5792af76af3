//! The program and its verbs, those that the system has.
//!
//! - `linux`, `windows`: the verbs of each, in the order a newcomer meets them.
//! - `absent`: the others, with what each would need.

mod absent;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

pub use absent::{Absent, refused};
#[cfg(target_os = "linux")]
pub use linux::{ABSENT, Cli, Verb};
#[cfg(windows)]
pub use windows::{ABSENT, Cli, Verb};
