//! Facts to findings, a file a group. Nothing here reads the system.
//!
//! - `examine`: all groups, one after the other.
//! - `kernel`: version, types, tracepoints.
//! - `privileges`: what this process may do, and what keeps it from more.
//! - `calls`: system calls that hardly anybody refuses.
//! - `confinement`: containers and name spaces.
//! - `others`: what is seen of other processes and of the kernel's functions.
//! - `counters`: performance counters and their setting.
//! - `times`: clocks, and what disturbs times.
//! - `processors`: how many, and how threads may run on them.
//! - `preload`: libraries under a program.
//! - `locking`: what the locks themselves rely on.

mod calls;
mod confinement;
mod counters;
mod examine;
mod kernel;
mod locking;
mod others;
mod preload;
mod privileges;
mod processors;
mod times;

pub use examine::examine;
