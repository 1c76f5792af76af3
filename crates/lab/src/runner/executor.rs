//! The interfaces of the executor of a slice, and of the observer of a run.

use crate::cell::{Cell, Slice};
use crate::contender;

/// Runs one slice of a cell.
pub trait Executor {
    /// Runs the slice to its end.
    ///
    /// # Errors
    /// Why there is no result.
    fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure>;
}

/// Why a slice has no measurements.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SliceFailure {
    /// The lock, or its threads, could not be made here.
    #[error("{0}")]
    Refused(String),
    /// The process that ran the slice died.
    #[error("the measuring process {0}")]
    Died(String),
    /// The process did not answer in time and was ended.
    #[error("did not end within {0:.1} s and was stopped")]
    Stuck(f64),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Receives the progress of a run, and decides whether it continues.
pub trait Watcher {
    /// Reports that `done` of `total` slices are over, and that `cell` is next.
    fn next(&mut self, done: usize, total: usize, cell: &Cell);

    /// Returns true if the user wants to stop.
    fn interrupted(&self) -> bool;
}

/// Runs slices in the current process: threads that have to be cut off stay behind.
#[derive(Clone, Copy, Debug, Default)]
pub struct InProcess;

impl Executor for InProcess {
    fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
        let entry = if cell.lock == contender::NONE || cell.depth == 0 {
            contender::none()
        } else {
            contender::find(&cell.lock)
                .map_err(|unknown| SliceFailure::Refused(unknown.to_string()))?
        };
        (entry.run)(cell).map_err(|error| SliceFailure::Refused(error.to_string()))
    }
}
