//! One cell of an experiment (all parameters fixed) and what one slice of it measured.

/// One lock, one workload, one setting of every knob.
#[derive(Clone, Debug)]
pub struct Cell {}

/// What one timed slice of a cell measured.
#[derive(Clone, Debug)]
pub struct Slice {}
