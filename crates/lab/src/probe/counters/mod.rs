//! Hardware counters: misses in caches and in the TLB that a switch causes, where the machine lets them be counted.

mod event;
mod section;

pub use event::hardware_counter;
pub(super) use section::measure;
