//! The work inside the critical section.
//!
//! Shared data are relaxed atomics even though a lock guards them. On the supported processors these are plain loads and stores,
//! and without a lock (the baseline, `--depth 0`) or with a broken lock, the behaviour remains defined. [`Workload::verify`] then
//! checks whether the lock excluded other threads: every slice is timed *and* validated.

mod counter;
mod hash_table;
mod list;
mod pair;
mod producer_consumer;
mod read_mostly;
mod thread_id;
mod traits;

pub use crate::cell::Kind;
pub use traits::{Aim, Workload};

pub(crate) use counter::Counter;
pub(crate) use hash_table::HashTable;
pub(crate) use list::List;
pub(crate) use pair::Pair;
pub(crate) use producer_consumer::ProducerConsumer;
pub(crate) use read_mostly::ReadMostly;
pub(crate) use thread_id::ThreadId;
