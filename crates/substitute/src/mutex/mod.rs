//! `pthread_mutex_t` over any lock.

mod object;
mod plain;

pub use plain::replace_with;
