//! The mappings of processes: their memory ([`Mapping`], [`mappings()`]), and the files behind them
//! ([`open`]).
//!
//! - `mappings`: the lines of /proc/PID/maps. `opened`: the file of such a line, and no other.

mod mappings;
mod opened;

pub use mappings::{Mapping, mappings};
pub use opened::open;
