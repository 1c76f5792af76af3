//! From the requested settings to a list of cells, all checked before anything starts.

mod check;
mod experiment;

pub use crate::cell::{Invalid, MAX_DEPTH, MAX_THREADS};
pub use experiment::Experiment;
