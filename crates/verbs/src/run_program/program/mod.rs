//! The program under which a library is to be loaded, checked before anything is started.
//!
//! A preload library works only in a dynamically linked program of this architecture whose loader is glibc's and runs without
//! raised privileges. [`check()`] finds the file that `execvp` would run, follows interpreter lines, and reports in one line the
//! obstacle and the alternative.

mod check;
mod elf;
mod find;
mod privilege;
mod runtime;
mod script;

pub use check::{Checked, Purpose, check};
pub use find::find;
pub use runtime::Runtime;
