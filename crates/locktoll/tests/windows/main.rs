//! The program on Windows: every verb that is there, and a clear word on those that are not.
//!
//! - `program`: runs it. `children`: the processes that a run starts.
//! - `recording`: one that was made on Linux.
#![cfg(windows)]

mod absent;
mod bench;
mod children;
mod compare;
mod doctor;
mod ends;
mod others;
mod program;
mod recording;
mod shells;
