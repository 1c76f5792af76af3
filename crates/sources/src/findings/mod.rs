//! What a timeline shows, in sentences: pure functions of `locktoll_results::profile::timeline`.
//!
//! - `all`: every finding of a timeline, in their order. `scene`: what the others look at: the waits of each lock, the holds of
//!   each thread. `intervals`: those that overlap a given time. `looks`: counts what
//!   they look at. `words`: names and figures.
//! - `convoy`: threads that queue in the same order, hold after hold. `burst`: waits that are frequent for a short time.
//!   `worst_second`: the second with the most waiting. `chain`: threads that wait for threads that wait. `inversion`: holders
//!   without a CPU. `herd`: threads that a broadcast wakes and a lock stops.

mod all;
mod burst;
mod chain;
mod convoy;
mod herd;
mod intervals;
mod inversion;
mod looks;
mod scene;
mod words;
mod worst_second;

#[cfg(test)]
mod tests;

pub use all::{add, of};
