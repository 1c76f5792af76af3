//! Every lock's line in the price list: what a pair costs, and how often it enters the kernel.
//!
//! Prices come from short slices of the measured loop, interleaved over all locks in rounds, the
//! empty loop of the same round subtracted. Kernel entries are counted exactly, in a process that
//! stops at each system call: [`count_entries`] is the side that counts, [`serve`] the side that is
//! counted.

mod marks;
mod prices;
mod served;
mod tracer;

pub use prices::{LockRounds, price_locks};
pub use served::serve;
pub use tracer::count_entries;
