//! Holders that are preempted: `record --preemption`.
//!
//! - `watch`: the program at the kernel's context switches, while the recorded program runs; `raw`: what its maps hold.
//! - `gathered`: what it saw, by the part of the recording that it belongs to.
//!
//! What that means for locks and sites is told in `profile`, from the recording that it is added to.

mod gathered;
mod raw;
mod watch;

pub use gathered::Gathered;
pub use watch::{Capacity, Watch};
