//! Busy waiting as a recording keeps it, and as a profile shows it.
//!
//! - `report`: what was seen, with names. `charge`: how it becomes a part of a profile, so that no time is counted twice.
//! - `weights`: from samples to CPU time with an interval. `since`: what was seen between two reports.

mod charge;
mod report;
mod since;
mod weights;

pub use charge::{Charged, add, charged};
pub use report::{OTHER_WORDS, Report, Row, ThreadShare};
pub use since::since;
// The detector runs on Linux only.
#[cfg(target_os = "linux")]
pub(crate) use weights::Drawn;
