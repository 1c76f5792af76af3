//! Hardware counters: misses in caches and in the TLB that a switch causes, where the machine lets them be counted.

mod event;
mod section;

pub(super) use section::measure;
