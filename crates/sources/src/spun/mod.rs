//! Busy waiting as a recording keeps it, and as a profile shows it.
//!
//! - `report`: what was seen, with names. `charge`: how it becomes a part of a profile, so that no time is counted twice.

mod charge;
mod report;

pub use charge::add;
pub use report::{Report, Row, ThreadShare};
