//! How the crates of locks are tested: by threads that contend, and by models in which faults are planted.

#[cfg(not(locktoll_loom))]
pub mod contest;
#[cfg(not(locktoll_loom))]
pub mod guard;
#[cfg(locktoll_loom)]
pub mod models;
#[cfg(not(locktoll_loom))]
pub mod nested;
