//! The program that a library is to be put under, looked at before anything is started.
//!
//! A preload library works only in a dynamically linked program of this architecture whose loader
//! is glibc's and runs without raised privileges. [`check()`] finds the file that `execvp` would
//! run, follows interpreter lines, and says in one line what stands in the way and what can be
//! done instead.

mod check;
mod elf;
mod find;
mod privilege;
mod runtime;
mod script;

pub use check::{Purpose, check};
pub use find::find;
pub use runtime::Runtime;
