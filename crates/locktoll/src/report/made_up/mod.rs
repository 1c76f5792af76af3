//! Results with made-up figures that are the same everywhere, for tests of what people see: one file a schema.

mod bench;
#[cfg(target_os = "linux")]
mod benches;
mod claims;
#[cfg(target_os = "linux")]
mod comparison;
pub mod computer;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod kernel;
mod prices;
#[cfg(target_os = "linux")]
mod tour;
#[cfg(target_os = "linux")]
pub mod trial;

pub use bench::contended;
pub use claims::reproduction;
#[cfg(target_os = "linux")]
pub use kernel::kernel;
pub use prices::machine_result;
#[cfg(target_os = "linux")]
pub use tour::tour;
