//! The kernel's counts, and whether they support a figure.

mod fits;
mod kinds;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
use windows as system;

pub(super) use fits::{fits, refusal};
pub(super) use kinds::Count;
pub(super) use system::Counted;
