//! `pthread_mutex_t` and `mtx_t`, implemented with any lock.
//!
//! `plain` handles nearly all calls: a settled mutex that does not store its holder. Everything else goes through `kinds`,
//! which distinguishes the kinds that the program gave the mutex. Recursive and error-checking mutexes are replaced too, with
//! their holder and count next to the lock. Kinds that the lock cannot provide are left to the C library.

mod c11;
mod kinds;
mod lifetime;
mod object;
mod only;
mod owner;
mod plain;
mod replace;
mod settled;
mod sped_up;
#[cfg(test)]
mod tests;
mod timed;
mod waiting;

pub use c11::word as c11_word;
pub use replace::replace_with;
pub use sped_up::replace_sped_up;
pub use waiting::{lock_after_wait, unlock_for_wait};
