//! The samples of one cell's rounds.

use crate::cell::{Part, Slice};
use crate::stats::{Modes, estimate, modes};

use super::SliceFailure;
use super::rounds::Step;

/// One cell's slices, round by round.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Slices that counted operations, with the empty loop of the same round (nanoseconds).
    pub throughput: Vec<(Slice, Option<f64>)>,
    /// Slices that timed acquisitions.
    pub waiting: Vec<Slice>,
    /// Second throughput slices of a round, for cells of an A/A pair. The one at `i` belongs to `throughput[i]`: a cell that
    /// misses a slice gets no further ones.
    pub again: Vec<Slice>,
    /// Second waiting slices, likewise: the one at `i` belongs to `waiting[i]`.
    pub again_waiting: Vec<Slice>,
    /// Why the cell was given up, if it was.
    pub failure: Option<SliceFailure>,
}

impl Samples {
    /// Returns true if another slice like `step` would only fail, or be cut off as one already was.
    ///
    /// Each part of a cell still gets its first slice after the other part was cut off: otherwise a row would say that it was cut
    /// off, and show no figures up to then.
    pub(super) fn given_up(&self, step: Step) -> bool {
        let had = match step {
            Step::Cell(_, Part::Throughput) => !self.throughput.is_empty(),
            Step::Cell(_, Part::Waiting) => !self.waiting.is_empty(),
            // Not worth a time-out by itself.
            Step::Again(..) => true,
        };
        self.failure.is_some() || had && self.slices().any(|slice| slice.cut_off.is_some())
    }

    /// Returns the time per operation of each throughput slice with this many threads, in nanoseconds. With one thread, the
    /// round's empty loop is subtracted; several threads' loops overlap in time. A slice without an operation counts as one
    /// operation that lasted for the whole slice.
    pub(super) fn net_ns(&self, threads: u32) -> Vec<f64> {
        let slices = self.throughput.iter();
        slices
            .map(|(slice, empty)| match slice.ns_per_op() {
                Some(gross) => (gross - empty_ns(*empty, threads)).max(0.0),
                None => slice.wall_ns as f64,
            })
            .collect()
    }

    /// Returns the median wait of each waiting slice, in nanoseconds.
    pub(super) fn median_waits_ns(&self) -> Vec<f64> {
        let waits = self.waiting.iter();
        waits
            .filter_map(|slice| Some(slice.acquire.as_ref()?.p50()? as f64))
            .collect()
    }

    /// Returns the two modes of the time per operation in nanoseconds, if it has two. With several threads, the second slices of
    /// the A/A pair count, too.
    pub fn modes(&self, threads: u32) -> Option<Modes> {
        let mut all = self.net_ns(threads);
        if threads > 1 {
            all.extend(self.again.iter().filter_map(Slice::ns_per_op));
        }
        modes(&all)
    }

    /// Returns whether there are such slices, and half of them or more took no longer than the empty loop.
    pub(super) fn is_lost_in_noise(&self, threads: u32) -> bool {
        estimate(&self.net_ns(threads)).is_some_and(|net_ns| net_ns.median <= 0.0)
    }

    /// Adds the rounds of another run of the same cell.
    ///
    /// Rounds that only some cells got, because the noise of the empty loop hid them, are left out: the rounds of all cells
    /// stay side by side.
    pub fn extend(&mut self, mut more: Self) {
        for samples in [&mut *self, &mut more] {
            if !samples.again.is_empty() {
                samples.throughput.truncate(samples.again.len());
            }
        }
        self.throughput.extend(more.throughput);
        self.waiting.extend(more.waiting);
        self.again.extend(more.again);
        self.again_waiting.extend(more.again_waiting);
        self.failure = self.failure.take().or(more.failure);
    }

    /// Returns every slice, of any kind.
    pub fn slices(&self) -> impl Iterator<Item = &Slice> {
        let throughput = self.throughput.iter().map(|(slice, _)| slice);
        throughput
            .chain(&self.waiting)
            .chain(&self.again)
            .chain(&self.again_waiting)
    }
}

/// Returns the time to subtract from a slice with this many threads.
pub(super) fn empty_ns(empty: Option<f64>, threads: u32) -> f64 {
    match threads {
        1 => empty.unwrap_or(0.0),
        _ => 0.0,
    }
}
