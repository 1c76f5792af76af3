//! Everything that measures.
pub mod cell;
pub mod clock;
pub mod contender;
pub mod harness;
mod lock_names;
pub mod machine;
pub mod monitor;
pub mod noise;
pub mod plan;
pub mod platform;
pub mod probe;
#[cfg(test)]
mod processors;
pub mod runner;
pub mod stats;
#[cfg(target_os = "linux")]
pub mod watch;
pub mod workload;
