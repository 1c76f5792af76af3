//! `try`: a program on other locks.
//!
//! - `runner`: what one run of the program is, whoever runs it. The tournament knows no process, so that it is tested with
//!   made-up figures.
//! - `process`: the runner that starts processes.

mod process;
mod runner;

pub use process::{Input, Load, Pattern, Processes, Ready, Subject, is_open};
pub use runner::{Contestant, Figures, Outcome, Runner};
