//! Runs the slices of an experiment, interleaved in rounds, and sums them up.
//!
//! The runner does not know how a slice is run: [`Executor`] is a child process in the program, the same process in tests, and a
//! table of numbers where the output has to be the same every time.

mod executor;
mod figures;
mod placement;
mod rounds;
mod samples;
mod summary;
mod until;

pub use executor::{Executor, InProcess, SliceFailure, Watcher};
pub use figures::RoundFigures;
pub use placement::share as placement_share;
pub use rounds::{
    MOST_ROUNDS, Measured, count_slices, count_slices_again, count_slices_of_part, measure,
    measure_again, measure_part,
};
pub use samples::Samples;
pub use summary::{AcquireSummary, CellSummary, FairnessSummary};
pub use until::{Until, measure_until};
