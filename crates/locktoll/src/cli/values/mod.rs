//! The small languages that flags speak: times with units, lists and ranges.

mod arrival;
mod list;
mod time;

pub use arrival::parse_arrival;
pub use list::{List, Numbers};
pub use time::{Times, parse_time};
