//! Loads, stores and atomics on a cache line that no other thread uses, and an atomic that lies across two lines.

mod list;
mod operations;
mod section;
#[cfg(target_os = "linux")]
mod split;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod split_policy;

pub(super) use section::measure;
#[cfg(target_os = "linux")]
pub(super) use split::measure as measure_split;
