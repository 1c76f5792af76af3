//! What the rounds of one cell gave.

use crate::cell::{Part, Slice};

use super::SliceFailure;
use super::rounds::Step;

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
    /// Second waiting slices, likewise: the one at `i` belongs to `waiting[i]`.
    pub again_waiting: Vec<Slice>,
    /// Why the cell was given up, if it was.
    pub failure: Option<SliceFailure>,
}

impl Samples {
    /// True when another slice like `step` would only fail, or be cut off as one was already.
    ///
    /// Each part of a cell still gets its first slice after the other part was cut off: or a row
    /// would say that it was cut off, and show no figures until then.
    pub(super) fn given_up(&self, step: Step) -> bool {
        let had = match step {
            Step::Cell(_, Part::Throughput) => !self.throughput.is_empty(),
            Step::Cell(_, Part::Waiting) => !self.waiting.is_empty(),
            // Not worth a time-out for its own sake.
            Step::Again(..) => true,
        };
        self.failure.is_some() || had && self.slices().any(|slice| slice.cut_off.is_some())
    }

    /// Every slice, of whatever kind.
    pub fn slices(&self) -> impl Iterator<Item = &Slice> {
        let throughput = self.throughput.iter().map(|(slice, _)| slice);
        throughput
            .chain(&self.waiting)
            .chain(&self.again)
            .chain(&self.again_waiting)
    }
}
