//! The scheduling policy and the CPUs of the probes' threads.

#[cfg(target_os = "linux")]
mod linux;
mod rank;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
use windows as system;

pub(super) use rank::Rank;
pub use system::real_time_refused;
pub(super) use system::{Policy, choose, usual};
