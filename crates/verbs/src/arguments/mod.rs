//! The small languages that flags accept: times with units, lists and ranges.

mod arrival;
mod budget;
mod input;
mod list;
#[cfg(target_os = "linux")]
mod live;
mod one_line;
mod output;
#[cfg(target_os = "linux")]
mod size;
#[cfg(target_os = "linux")]
mod spin;
mod time;

pub use arrival::parse_arrival;
pub use budget::{parse_budget, parse_precision};
pub use input::InputArgs;
pub use list::{List, Numbers};
#[cfg(target_os = "linux")]
pub use live::{parse_interval, parse_process, parse_watching};
pub use one_line::one_line;
pub use output::OutputArgs;
#[cfg(target_os = "linux")]
pub use size::parse_size;
#[cfg(target_os = "linux")]
pub use spin::{Spin, parse_spin};
#[cfg(target_os = "linux")]
pub use time::time_of;
pub use time::{Times, UNITS_OF_TIME, parse_time};
