//! Counters that never go backwards, made of readings that begin anew with each process.
//!
//! - `buckets`: the buckets of a histogram. `counts`: the figures of one lock. `mark`: the highest figures that one source has shown of a
//!   lock, and what each reading adds to them.
//! - `book`: the series of all locks, their number bounded.

mod book;
mod buckets;
mod counts;
mod mark;

pub use book::{Key, Ledger, Series, SourceId};
pub use buckets::{BOUNDS_NS, Buckets};
#[cfg(test)]
pub use counts::Counts;
