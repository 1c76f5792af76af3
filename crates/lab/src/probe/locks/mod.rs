//! Every lock's line in the price list: the price of an acquisition and release, and the number of its system calls.
//!
//! Prices come from short slices of the measured loop, interleaved over all locks in rounds; the empty loop of the same
//! round is subtracted. Kernel entries are counted exactly if the system lets a process stop at each system call of another:
//! `count_entries` is the side that counts, `serve` the side that is counted, and `tracing_refused` reports whether that is
//! possible.

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
