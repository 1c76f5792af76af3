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
//! - `blocked`: the same for processes that are watched from the kernel (`attach`); pure. `attached`: their alerts, with names.
//! - `witness`: reads what the threads of an alert are doing; `seized`: of a recorded process. `waiters`: these threads, as alerts have them.

mod attached;
mod blocked;
mod glimpse;
mod memory;
mod named;
mod process;
mod rule;
mod seen;
mod seized;
mod waiters;
mod watch;
mod witness;

pub use attached::{AttachedAlert, Case, CaseNames, Notifications};
pub use blocked::{Blocked, Lasting};
pub use named::Names;
pub use rule::Rule;
pub use seized::Seized;
pub use watch::{Event, Watch};
pub use witness::Witness;
