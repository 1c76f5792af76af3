//! Counts exactly the instructions, loads, stores and branches of a warm pair of acquisition and release, by stepping a thread through it
//! (ptrace(2)). A count does not depend on how busy the machine is, or on how fast its processor.
//!
//! - `stepper`: starts a program and steps it from one mark to the next.
//! - `virtual_time`: has the program's clock go by steps, so that a stepped hold does not look long.
//! - `count`: adds up what one instruction does; `chain`: how long the instructions have to wait for each other's loads and stores.
//! - `ways`: the ways to run the pair: bare, recorded, substituted.
//! - `table`: the counts that the repository keeps.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod chain;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod count;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod stepper;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod table;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod virtual_time;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod ways;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use {
    count::Counts,
    stepper::step,
    table::{Row, Table},
    ways::{Libraries, PAIRS, Way, ways},
};
