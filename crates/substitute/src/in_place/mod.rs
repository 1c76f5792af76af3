//! The locks of `locktoll-locks`, each fitted into the room that an object of the C library has.
//!
//! `room` says what a lock must be to live there. `words` are the locks that are a few words and nothing else; `queues` those
//! whose waiters stand in a queue of nodes, which come from `nodes`; `gate` stands before the C library's own lock.

mod gate;
mod nodes;
mod queues;
mod room;
#[cfg(test)]
mod tests;
mod words;

pub use gate::Gate;
pub use queues::{Mcs, McsPark};
pub use room::{InPlace, ROOM_ALIGNMENT, ROOM_BYTES};
pub use words::*;
