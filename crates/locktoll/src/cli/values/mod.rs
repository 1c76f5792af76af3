//! The small languages that flags speak: times with units, lists and ranges.

mod arrival;
mod list;
mod output;
mod time;

pub use arrival::parse_arrival;
pub use list::{List, Numbers};
pub use output::{OutputArgs, ResultFormat};
pub use time::{Times, parse_time};
