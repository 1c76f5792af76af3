//! From the settings that were asked for to a list of cells, all of it checked before anything starts.

mod check;
mod experiment;

pub use crate::cell::{Invalid, MAX_DEPTH, MAX_THREADS};
pub use experiment::Experiment;
