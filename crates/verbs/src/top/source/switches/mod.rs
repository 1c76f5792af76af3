//! Context switches of every process by cause, counted by a program in the kernel (`bpf/switches.bpf.c`): needs privileges.
//!
//! - `calls`: the cause of a blocking system call. `counted`: the program, and its counts ([`Switches`]).

mod calls;
mod counted;

pub use counted::Switches;
