//! Running a program under the recorder: everything about it as without us, and a recording after.
//!
//! - `output`: whether the recording can be written, asked before anything starts.
//! - `parts`: where the processes write while they run.
//! - `environment`: what the program finds in its environment because of us.
//! - `signals`: what was sent to us alone is for the program.
//! - `pipe_signal`: what it finds of `SIGPIPE`, which Rust's run-time changes.
//! - `child`: start, wait, end; `usage`: what the kernel says it used.
//! - `adoption`: what the program leaves behind becomes ours; `still_running`: what goes on after the program's end.
//! - `cost`: what recording adds to a lock and unlock here.
//! - `merge`: the parts become one recording; `correction`: what is filled in from outside.

mod adoption;
mod child;
mod correction;
mod cost;
mod environment;
mod merge;
mod output;
mod parts;
mod pipe_signal;
mod signals;
mod still_running;
mod usage;

pub use adoption::adopt_strays;
pub use child::{Ended, Launch, ProgramStdout, run};
pub use cost::added_ps_per_pair;
pub use environment::{Children, Orders, in_front_of_users, prepare as prepare_environment};
pub use merge::Outside;
pub use parts::{Leftover, Parts};
pub use pipe_signal::restore as restore_pipe_signal;
pub use signals::Signals;
pub use still_running::{StillRunning, still_running};
pub use usage::{Reaped, reap_any, reap_with_children};
