//! From facts to findings, one file per group. Nothing here reads the system.
//!
//! - `examine`: all groups, one after the other.
//! - `kernel`: version, types, tracepoints.
//! - `privileges`: the privileges of this process, and the limits on them.
//! - `calls`: system calls that are hardly ever refused.
//! - `confinement`: containers and name spaces.
//! - `others`: the visibility of other processes and of the kernel's functions.
//! - `counters`: performance counters and their setting.
//! - `times`: clocks, and disturbances of times.
//! - `processors`: their number, and how threads may run on them.
//! - `preload`: libraries under a program.
//! - `locking`: the calls on which the locks themselves rely.

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
pub use locking::no_slice_extension;
