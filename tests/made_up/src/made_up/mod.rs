//! Results with made-up figures that are the same everywhere, for tests of what people see: one file a schema.

pub mod advice;
pub mod bench;
#[cfg(target_os = "linux")]
pub mod benches;
pub mod claims;
pub mod computer;
#[cfg(target_os = "linux")]
pub mod kernel;
pub mod prices;
pub mod timeline;
#[cfg(target_os = "linux")]
pub mod trial;
pub mod whatif;

pub use bench::contended;
pub use claims::reproduction;
#[cfg(target_os = "linux")]
pub use kernel::kernel;
pub use prices::machine_result;
pub use timeline::timeline;
