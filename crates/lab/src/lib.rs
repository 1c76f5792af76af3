//! Measuring locks and context switches: the clock, the machine, the locks under test, the loops, the statistics.
//!
//! - [`plan`]: an experiment, checked before anything starts; [`cell`]: one lock with one setting of every parameter.
//! - [`runner`]: rounds of cells, each in a new random order; [`harness`]: one timed slice; [`workload`]: the work inside the
//!   lock.
//! - [`contender`]: every lock under test, by name; [`monitor`]: condition variables.
//! - [`stats`]: medians with intervals, fairness, histograms, verdicts.
//! - [`probe`]: the price list of a machine; `watch` (Linux): context switches live.
//! - [`clock`], [`machine`], [`noise`], [`platform`]: time, the machine, the load of other programs, and the operating system.
//!
//! Nothing here uses the command line or prints a result.

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
mod random;
pub mod runner;
pub mod stats;
#[cfg(target_os = "linux")]
pub mod watch;
pub mod workload;
