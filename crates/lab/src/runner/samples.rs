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
    /// Second throughput slices of a round, of the cells that are half of an A/A pair. The one at
    /// `i` belongs to `throughput[i]`: a cell that misses a slice gets no further ones.
    pub again: Vec<Slice>,
    /// Why the cell was given up, if it was.
    pub failure: Option<SliceFailure>,
}

impl Samples {
    /// True when a further slice would only fail or be cut off again.
    pub fn given_up(&self) -> bool {
        self.failure.is_some() || self.slices().any(|slice| slice.cut_off.is_some())
    }

    /// Every slice, of whatever kind.
    pub fn slices(&self) -> impl Iterator<Item = &Slice> {
        let throughput = self.throughput.iter().map(|(slice, _)| slice);
        throughput.chain(&self.waiting).chain(&self.again)
    }
}
