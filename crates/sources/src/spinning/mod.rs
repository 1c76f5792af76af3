//! Busy waiting: threads that use CPU time to wait for a word of memory to change.
//!
//! The kernel samples the registers of running threads ([`crate::perf`]); the code around each sampled instruction says whether it is
//! a loop that waits (`locktoll_loops`). Nothing is added to the program, and no hardware counters are needed.
//!
//! - `detector`: the thread that does it all, from the first sample to the report.
//! - `state`: what the samples change.
//! - `family`: which processes are watched, and which program each of them runs. `image`: one program in one process.
//! - `memory`: its code and data. `places`: its mapped files. `stacks`: the callers of a sampled instruction; `walks`: whole stacks.
//! - `verdicts`: what is known of each instruction; `budget`: how much CPU time may be used to find out more.
//! - `tally`: samples by thread, loop and word. `threads`, `accounts`: the kernel's accounts of each thread's time.
//! - `switching`: when inherited events would cost too much. `writers`: who writes the words. `limits`: CPUs, and limits by control groups.
//! - `words`, `frames`: names. `summary`, `notes`: the report.

mod accounts;
mod budget;
mod detector;
mod family;
mod frames;
mod image;
mod limits;
mod memory;
mod notes;
mod places;
mod stacks;
mod state;
mod summary;
mod switching;
mod tally;
mod threads;
mod verdicts;
mod walks;
mod words;
mod writers;

pub use detector::{AtWork, DEFAULT_RATE, Detector, Subjects};
