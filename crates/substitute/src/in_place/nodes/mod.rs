//! Nodes for queue locks: a thread takes one in order to wait, and returns it when it has released.
//!
//! ```text
//! the thread's own nodes (`cache`, found through `tls`) <-> the process's nodes (`pool`) <- the kernel
//! ```
//!
//! There is no limit on the number of threads, or of locks that one thread holds at once. As many nodes are made as were in
//! use or kept by threads at once. They are reused forever, and never returned to the kernel: a release may still wake the
//! address of a node that is by then used elsewhere (see `locktoll_locks::McsParkQueue`). A thread that releases a lock which
//! another thread has locked keeps the node of that lock.
//!
//! When a thread ends, its nodes go to the pool (`key`). In the child of a fork, the nodes of the threads that do not exist
//! there are lost: those in use, and up to [`cache::MOST`] that each thread kept.
//!
//! Nothing here allocates, waits for another thread, or is ever in a half-done state that a forked child could find.

mod cache;
mod key;
mod pool;
#[cfg(test)]
mod tests;
mod tls;

pub use cache::{put, take};
pub use key::prepare;
