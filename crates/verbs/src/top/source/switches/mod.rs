//! Context switches of every process by cause, counted by a program in the kernel (`bpf/switches.bpf.c`): with privileges.
//!
//! - `calls`: what a thread that blocks in a system call waits for. `counted`: the program, and what it has counted ([`Switches`]).

mod calls;
mod counted;

pub use counted::Switches;
