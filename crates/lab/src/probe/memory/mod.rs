//! Loads, stores and atomics on one cache line that nobody else wants, and the atomic that lies across two lines.

mod list;
mod operations;
mod section;
mod split;
#[cfg(target_arch = "x86_64")]
mod split_policy;

pub(super) use section::measure;
