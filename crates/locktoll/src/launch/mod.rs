//! Running a program under the recorder: everything about it as without us, and a recording after.
//!
//! - `output`: whether the recording can be written, asked before anything starts.
//! - `parts`: where the processes write while they run, and how that becomes one recording.
//! - `environment`: what the program finds in its environment because of us.
//! - `signals`: what was sent to us alone is for the program.
//! - `pipe_signal`: what it finds of `SIGPIPE`, which Rust's run-time changes.
//! - `child`: start, wait, end.

mod child;
mod environment;
mod output;
mod parts;
mod pipe_signal;
mod signals;

pub use child::{Ended, Launch, ProgramStdout, run};
pub use parts::{Children, Parts, parts_in};
