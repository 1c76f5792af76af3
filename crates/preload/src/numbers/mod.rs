//! Numbers for contents that many threads share: call stacks, and births of locks.
//!
//! - `interned`: the records in the file, each written once, behind the recorder's lock;
//! - `cache`: a thread's cache of their numbers, so that it takes no lock the second time.

mod cache;
mod interned;

pub use cache::StackCache;
pub use interned::{Births, Stacks, Wanted, hash};
