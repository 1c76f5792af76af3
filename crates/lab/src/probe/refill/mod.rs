//! Finding caches and the TLB cold after a switch: what the next pass through a working set then costs more.

mod chain;
mod pages;
mod rounds;
mod sides;
mod sizes;
mod table;
mod turns;

#[cfg(test)]
pub(super) use rounds::Round;
pub(super) use rounds::{Effort, Rounds, Witness};
pub(super) use sides::rounds_of;
pub(super) use table::{half_of_last_level, measure};
