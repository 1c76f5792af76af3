//! Programs with known answers: their sources lie next to this crate's manifest, and [`compiled`] compiles each once.

mod compiled;

pub use compiled::{compiled, copied};
