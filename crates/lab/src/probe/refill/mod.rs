//! Cold caches and TLB after a switch: the additional time of the next pass through a working set.

mod chain;
mod pages;
mod rounds;
mod sides;
mod sizes;
mod table;
mod turns;

pub(super) use chain::{Cycle, Place, walk};
pub(super) use pages::{PageSize, Pages};
#[cfg(test)]
pub(super) use rounds::Round;
pub(super) use rounds::{Effort, Rounds, Witness};
pub(super) use sides::rounds_of;
pub(super) use sizes::line_bytes;
pub(super) use table::{half_of_last_level, measure};
pub(super) use turns::{Turn, await_turn, end, hand_over};
