//! The commands that would allow the rest. This program never runs them.
//!
//! - `line`: a remedy in one line, for a verb that ends with it.
//! - `call`: system calls that are refused.
//! - `capabilities`: how this process could get capabilities.
//! - `container`: flags of the engines that run containers.
//! - `settings`: kernel settings and mounts.

#[cfg(target_os = "linux")]
mod call;
#[cfg(target_os = "linux")]
mod capabilities;
#[cfg(target_os = "linux")]
mod container;
#[cfg(target_os = "linux")]
mod settings;

#[cfg(target_os = "linux")]
pub use call::{call, on_the_machine};
#[cfg(target_os = "linux")]
pub use capabilities::{FOR_TRACING, for_verb, grant};
#[cfg(target_os = "linux")]
pub use container::{Engine, run_with};
#[cfg(target_os = "linux")]
pub use settings::{as_root, boot_with, setting, sysctl};
