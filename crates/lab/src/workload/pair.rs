//! No work inside.

use super::Workload;
use crate::cell::Cell;

/// The bare acquire and release; also TimeMutex, whose work is entirely in the harness's knobs.
pub(crate) struct Pair;

impl Workload for Pair {
    type Local = ();

    fn new(_cell: &Cell) -> Self {
        Self
    }

    fn local(&self, _thread: u32) {}

    #[inline]
    fn enter(&self, (): &mut ()) -> bool {
        true
    }

    fn verify(&self, _locals: Vec<()>, _operations: u64) -> Result<(), String> {
        Ok(())
    }
}
