//! Results with made-up figures that are the same everywhere, for tests of what people see: one file a schema.

mod bench;
mod claims;
mod comparison;
pub mod computer;
mod files;
mod kernel;
mod prices;
mod tour;
pub mod trial;

pub use bench::contended;
pub use claims::reproduction;
pub use kernel::kernel;
pub use prices::machine_result;
pub use tour::tour;
