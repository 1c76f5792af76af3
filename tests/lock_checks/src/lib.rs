//! How the crates of locks are tested: by threads that contend, and by models in which faults are planted.

#[cfg(not(loom))]
pub mod contest;
#[cfg(not(loom))]
pub mod guard;
#[cfg(loom)]
pub mod models;
#[cfg(not(loom))]
pub mod nested;
