//! Holders that are preempted: `record --preemption`.
//!
//! - `watch`: the program at the kernel's context switches, while the recorded program runs; `raw`: the contents of its
//!   maps.
//! - `times`: each time without a CPU, for the timeline.
//! - `gathered`: its data, by the part of the recording to which it belongs.
//!
//! The figures are added to the recording. From there, `recording` charges them to locks and sites.

mod gathered;
mod raw;
mod times;
mod watch;

pub use gathered::Gathered;
pub use times::{TimesByPart, TimesOff, count_unkept};
pub use watch::{Capacity, Watch};
