//! Holders that lost their processor: by lock, where they had acquired it, and who waited meanwhile.
//!
//! - `sums`: added up from what the kernel saw.
//! - `estimate`: from the recorder's own holds, where nobody watched.
//! - `whole`: of the whole recording.

mod estimate;
mod sums;
mod whole;

pub use estimate::estimate;
pub use sums::Preempted;
pub use whole::watched;
