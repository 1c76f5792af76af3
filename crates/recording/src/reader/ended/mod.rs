//! The parts of processes that have ended, added up in one part for each program.
//!
//! Processes of one program may have their code and data at different addresses, and number their places differently. A *sum* has
//! numbers and addresses of its own: each mapped file gets a place in an address range that no process uses. Figures of a lock in a
//! variable are added to those of the same variable. All other locks have gone with their processes, so their figures are added to
//! the record of all locks of their birth ([`POOLED`](crate::layout::POOLED)), as the recorder does with locks that have gone.
//!
//! A sum is bounded by the number of places in the program, and by limits beyond which figures are counted without their place. The header
//! counts those ([`DropReason`](crate::layout::DropReason)).
//!
//! - `process`: the places of one process, by its own numbers.
//! - `places`: those of a sum, each once.
//! - `moved`: from the former to the latter.
//! - `image`: what is known of a process from its other parts.
//! - `header`: the header of a sum. `sum`: the sum of one program. `sums`: of all programs.
//!
//! **What a sum does not have**: the lives of threads, of which it has the number and the lifetimes added up; and the order of locks in all processes but the
//! first, except for the acquisitions that the first made too. Cycles are looked for within one process, so the orders of several
//! cannot be put together. The others are counted as not kept.

mod header;
mod image;
mod moved;
mod places;
mod process;
mod sum;
mod sums;
#[cfg(test)]
mod tests;

pub use image::Image;
pub use process::{ancestors, program};
pub use sums::Sums;
