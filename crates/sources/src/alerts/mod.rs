//! Watches the processes of a recording from outside, and raises an alert while a lock is held or waited for too long.
//!
//! The recorder publishes each thread's present wait in the recording, and where its list of held locks lies in the process. That
//! list has no times for most holds. But two looks that find the same lock in it, with the same count of acquisitions, have seen
//! the same hold, so the watcher times it: from the first look that saw it, which is at most one interval late. The program pays
//! nothing for being watched.
//!
//! - `rule`: what lasts too long. `glimpse`: what one look sees; `process`: the look itself. `memory`: reads the process.
//! - `seen`: from looks to what lasts too long; pure. `watch`: all processes of a folder of parts. `named`: alerts with names, which
//!   take longer to find than the time between two looks.

mod glimpse;
mod memory;
mod named;
mod process;
mod rule;
mod seen;
mod watch;

pub use named::Names;
pub use rule::Rule;
pub use watch::{Event, Watch};
