//! Experiments that turn advice into measurements.
//!
//! - `threads_flag`: the program's own flag for its number of threads; `sweep`: the order of its runs with other numbers, which
//!   knows no process; `thread_runs`: runs the program for it.
//! - `verbs`: runs `whatif` and `try`, and reads what they saved; `quote` adds that to the remedies.

pub mod quote;
pub mod sweep;
pub mod thread_runs;
pub mod threads_flag;
pub mod verbs;
