//! Context switches of every process by cause, counted by a program in the kernel (`bpf/switches.bpf.c`): needs privileges.
//!
//! - `cause`: the causes, and counts of them ([`SwitchCounts`]). `calls`: the cause of a blocking system call.
//! - `watch`: the program, and its counts so far ([`Watch`]).

mod calls;
mod cause;
mod watch;

pub use cause::{SwitchCause, SwitchCounts};
pub use watch::Watch;
