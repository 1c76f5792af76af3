//! Hardware counters: misses in caches and in the TLB that a switch causes, if the machine allows counting them.

mod event;
mod section;

pub use event::hardware_counter;
pub(super) use event::{Event, KERNEL_UP_TO, why};
pub(super) use section::measure;
