//! What would allow what is missing. Nothing of it is ever run by this program.
//!
//! - `shape`: a remedy.
//! - `capabilities`: how this process could come by capabilities.
//! - `container`: flags of the engines that run containers.
//! - `settings`: kernel settings and mounts.
//! - `quote`: paths in commands.

mod capabilities;
mod container;
mod quote;
mod settings;
mod shape;

pub use capabilities::{FOR_TRACING, for_verb, grant};
pub use container::{Engine, run_with};
pub use settings::{as_root, boot_with, setting, sysctl};
pub use shape::{Remedy, Where};
