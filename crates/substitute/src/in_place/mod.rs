//! The locks of `locktoll-locks`, each fitted into the room of an object of the C library.
//!
//! `room` defines the conditions that a lock must meet for that. `words` has the locks that consist of a few words only;
//! `queues` has those whose waiters are in a queue of nodes, which come from `nodes`; `gate` is in front of the C library's
//! own lock. `sliced` is any of them with a request for a time slice extension. `sped_up` is a lock for `locktoll whatif`.

mod gate;
mod nodes;
mod queues;
mod room;
mod sliced;
mod sped_up;
#[cfg(test)]
mod tests;
mod words;

pub use gate::Gate;
pub use queues::{Mcs, McsPark};
pub use room::{InPlace, ROOM_ALIGNMENT, ROOM_BYTES};
pub use sliced::Sliced;
pub use sped_up::SpedUp;
pub use words::*;
