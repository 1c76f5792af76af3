//! The mappings of processes: their memory ([`Mapping`], [`mappings()`]), and the files behind them
//! ([`open`]).
//!
//! - `mappings`: the lines of /proc/PID/maps. `opened`: the file of such a line, and no other. `part`: the file into which a process
//!   records.

mod mappings;
mod opened;
mod part;

pub use mappings::{Mapping, mappings};
pub use opened::open;
pub use part::{innermost_number, part_and_path_of, part_of};
