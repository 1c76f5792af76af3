//! Runs a program under the recorder: the program behaves as it does without, and a recording exists afterwards.
//!
//! - `output`: whether the recording can be written, checked before anything starts.
//! - `parts`: the folder to which the processes write while they run.
//! - `environment`: the variables that locktoll adds to the program's environment.
//! - `signals`: passes on signals that were sent only to locktoll.
//! - `pipe_signal`: the action of `SIGPIPE`, which Rust's run-time changes.
//! - `child`: starts the program and waits for its end; `usage`: the kernel's account of its resources.
//! - `adoption`: takes over processes that the program leaves behind; `still_running`: processes that continue after
//!   the program's end.
//! - `cost`: the cost that recording adds to a lock and unlock here.
//! - `merge`: joins the parts into one recording; `correction`: data that is filled in from outside.

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
pub use environment::{
    Children, Orders, Timeline, in_front_of_users, prepare as prepare_environment,
};
pub use merge::Outside;
pub use parts::{Leftover, Parts};
pub use pipe_signal::restore as restore_pipe_signal;
pub use signals::Signals;
pub use still_running::{StillRunning, still_running};
pub use usage::{Reaped, reap_any, reap_with_children};
