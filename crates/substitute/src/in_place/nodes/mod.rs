//! Nodes for queue locks: a thread takes one to wait with, and gives it back when it has released.
//!
//! ```text
//! the thread's own few (`cache`, found through `tls`) <-> the process's (`pool`) <- the kernel
//! ```
//!
//! There is no limit to threads, nor to the locks that one holds at once. As many nodes are made as were in use or kept by
//! threads at once; they are used again for ever, and never given back to the kernel: a release may still wake the address of
//! a node that has gone on (see `locktoll_locks::McsParkQueue`). Whoever takes the node of a lock that another thread has
//! locked keeps it as its own.
//!
//! When a thread ends, its nodes go to the pool (`key`). In the child of a fork, the nodes of the threads that are not there
//! are lost: those in their hands, and the [`cache::MOST`] at most that each kept.
//!
//! Nothing here allocates, waits for another thread, or is ever left half done for a forked child to find.

mod cache;
mod key;
mod pool;
#[cfg(test)]
mod tests;
mod tls;

pub use cache::{put, take};
pub use key::prepare;
