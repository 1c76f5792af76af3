//! Keeps the events around long waits while a program is being recorded: `record --timeline-when`.
//!
//! Each thread of the program overwrites its oldest events. So when a wait was too long, the events around it are copied from outside
//! before that happens, as a flight recorder is read after an incident.
//!
//! - `trigger`: which waits are too long, and how much is copied. `rings`: reads rings that are being written. `open_holds`: copied
//!   holds that had not ended. `process`: the copies of one process. `window`: the time that is being copied. `ended`: whether a
//!   process goes on. `watch`: all processes.

mod ended;
mod open_holds;
mod process;
mod rings;
mod trigger;
mod watch;
mod window;

#[cfg(test)]
mod tests;

pub use trigger::Trigger;
pub use watch::{Copies, FlightRecorder};
