//! Which threads switch, how often and why, from one moment to the next, as `/proc` reports it to any user.
//!
//! [`Watcher`] reads the counters of the machine and of all visible threads, and returns the differences ([`Interval`]). In
//! between, it samples the calls in which the threads with the most waits are waiting. No privileges are needed; [`Limits`] lists
//! the facts that the system does not report.
//!
//! Counters of perf_event_open(2) on the watched threads would also see threads that end within an interval. They are not
//! used, because the kernel saves and restores them at every switch: a hand-over between two threads took 2.9 us of CPU
//! time per switch with two such counters, 1.8 us without, and 1.8 us with this watch.
//!
//! ```
//! use locktoll_lab::watch::{Subject, Watcher};
//!
//! let mut watcher = Watcher::start(Subject::Process(std::process::id())).unwrap();
//! std::thread::sleep(std::time::Duration::from_millis(5));
//! let interval = watcher.next_interval().unwrap();
//! assert!(interval.processes[0].activity.voluntary >= 1);
//! ```

mod causes;
mod difference;
mod found;
#[doc(hidden)]
pub mod fuzzed;
mod interval;
mod limits;
mod process;
mod subject;
mod sweep;
mod system;
mod targets;
mod thread;
mod wait;
mod watcher;

#[cfg(test)]
mod made_up;

pub use interval::{
    Activity, Attribution, Cause, CauseKind, CpuShares, Found, Interval, KnownBy, OwnCost, Process,
    System, Thread, Totals,
};
pub use limits::Limits;
pub use subject::Subject;
pub use wait::Wait;
pub use watcher::{Unwatchable, Watcher};
