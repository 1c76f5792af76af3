//! Holders that are preempted: `record --preemption`.
//!
//! - `watch`: the program at the kernel's context switches, while the recorded program runs; `raw`: what its maps hold.
//! - `gathered`: what it saw, by the part of the recording that it belongs to.
//!
//! The figures are added to the recording. From there, `recording` charges them to locks and sites.

mod gathered;
mod raw;
mod watch;

pub use gathered::Gathered;
pub use watch::{Capacity, Watch};
