//! Keeps the events around long waits while a program is being recorded: `record --timeline-when`.
//!
//! Each thread of the program overwrites its oldest events. So when a wait was too long, the events around it are copied from outside
//! before that happens, as a flight recorder is read after an incident.
//!
//! - `trigger`: which waits are too long, and how much is copied. `process`: the rings of one process. `watch`: all processes.

mod process;
mod trigger;
mod watch;

pub use trigger::Trigger;
pub use watch::{Copies, FlightRecorder};
