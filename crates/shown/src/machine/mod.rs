//! The price list as text for a terminal, one file per section.

mod hand_over;
mod locks;
mod notes;
mod page;
mod park_misses;
mod parts;
mod refill;
mod transfers;

#[cfg(test)]
mod snapshots;
