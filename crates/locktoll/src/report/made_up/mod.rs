//! Results with made-up figures that are the same everywhere, for tests of what people see: one file a schema.

mod bench;
mod claims;
mod comparison;
pub mod computer;
#[cfg(target_os = "linux")]
mod files;
mod kernel;
mod prices;
#[cfg(target_os = "linux")]
mod tour;
pub mod trial;

pub use bench::contended;
pub use claims::reproduction;
pub use kernel::kernel;
pub use prices::machine_result;
#[cfg(target_os = "linux")]
pub use tour::tour;
