//! What the rounds of one cell gave.

use crate::cell::Slice;

use super::SliceFailure;

/// One cell's slices, round by round.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Slices that counted operations, with the empty loop of the same round (nanoseconds).
    pub throughput: Vec<(Slice, Option<f64>)>,
    /// Slices that timed acquisitions.
    pub waiting: Vec<Slice>,
    /// Why the cell was given up, if it was.
    pub failure: Option<SliceFailure>,
}

impl Samples {
    /// True when a further slice would only fail or be cut off again.
    pub fn given_up(&self) -> bool {
        let mut slices = self.throughput.iter().map(|(slice, _)| slice);
        self.failure.is_some()
            || slices.any(|slice| slice.cut_off.is_some())
            || self.waiting.iter().any(|slice| slice.cut_off.is_some())
    }
}
