//! A Tollgate under a debugger, which stops a thread at any instruction, and with each stop interrupts its restartable sequence.
//!
//! - `pairs`: the program that is debugged, this one in a process of its own.
//! - `stepped`: its instructions stepped one by one by ptrace(2), with no debugger.
//! - `gdb`: scripts for gdb.
#![cfg(all(not(locktoll_loom), target_os = "linux", target_arch = "x86_64"))]

mod gdb;
mod pairs;
mod stepped;
