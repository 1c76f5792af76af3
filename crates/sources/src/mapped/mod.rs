//! What processes have mapped: which memory ([`Mapping`], [`mappings`]), and the files behind it ([`open`]).
//!
//! - `mappings`: the lines of /proc/PID/maps. `opened`: the file of such a line, and no other.

mod mappings;
mod opened;

pub use mappings::{Mapping, mappings};
pub use opened::open;
