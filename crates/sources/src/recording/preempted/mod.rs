//! Preempted holders: by lock, with the place where they had acquired it, and the threads that
//! waited in that time.
//!
//! - `sums`: added up from the kernel's data.
//! - `estimate`: from the recorder's own holds, without `--preemption`.
//! - `whole`: for the whole recording.

mod estimate;
mod sums;
mod whole;

pub use estimate::estimate;
pub use sums::Preempted;
pub use whole::watched;
