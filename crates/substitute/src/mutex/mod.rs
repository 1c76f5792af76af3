//! `pthread_mutex_t` and `mtx_t` over any lock.
//!
//! `plain` is the way of nearly all calls: a mutex without a memory of who holds it, settled. Everything else goes through
//! `kinds`, which sorts by the kind that the program gave the mutex: recursive and error-checking ones are ours, too, with
//! their holder and count kept beside the lock; what the lock cannot give goes to the C library.

mod c11;
mod kinds;
mod lifetime;
mod object;
mod only;
mod owner;
mod plain;
mod replace;
mod settled;
mod timed;
mod waiting;

pub use c11::word as c11_word;
pub use replace::replace_with;
pub use waiting::{lock_after_wait, unlock_for_wait};
