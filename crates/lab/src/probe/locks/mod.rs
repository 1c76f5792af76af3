//! Every lock's line in the price list: what a pair costs, and how often it enters the kernel.
//!
//! Prices come from short slices of the measured loop, interleaved over all locks in rounds, the
//! empty loop of the same round subtracted. Kernel entries are counted exactly where the system lets a process stop at each
//! system call of another: `count_entries` is the side that counts, `serve` the side that is counted, and
//! `tracing_refused` says whether that is possible at all.

#[cfg(target_os = "linux")]
mod marks;
mod prices;
#[cfg(target_os = "linux")]
mod served;
#[cfg(target_os = "linux")]
mod traceable;
#[cfg(target_os = "linux")]
mod tracer;

pub use prices::{LockRounds, price_locks};
#[cfg(target_os = "linux")]
pub use served::serve;
#[cfg(target_os = "linux")]
pub use traceable::tracing_refused;
#[cfg(target_os = "linux")]
pub use tracer::count_entries;
