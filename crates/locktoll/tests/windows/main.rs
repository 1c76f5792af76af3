//! The program on Windows: every verb that exists there, and a clear message for the others.
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
