//! The data that all threads of the process share, and its lock.
//!
//! Everything lies in one mapping that reads as zeros in the child of a fork(2), whichever system call made it. The child
//! finds a recorder that has not started, starts it with its own file, and never sees a lock that a thread of its parent held.
//! Only the address of the mapping is an ordinary static.
//!
//! # Invariants
//!
//! - **G1** `RECORDER` is null or points to a [`Recorder`] that stays mapped for the life of the process.
//! - **G2** [`Shared`](shared::Shared) is touched only by the holder of `lock`, and zeros are a valid value of it.
//! - **G3** The holder of `lock` has all signals blocked, so no handler of the same thread can wait for it, and calls no
//!   interposed function.

mod futex_lock;
mod process;
mod shared;

pub use process::{Recorder, State};
pub use shared::Guard;
