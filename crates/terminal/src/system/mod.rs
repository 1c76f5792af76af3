//! The calls of the operating system for printing and stopping: `linux` and `windows` have functions of the same names.
//!
//! - `interrupt`: the means by which a user stops the program.
//! - `files`: writing a file that the user names; `folders`: the place of a run that can be continued.
//! - `terminal`: its size.
//! - `end`: on Windows, the end of a process at once.
//! - `host`: the machine's name.
//! - `help`: the words of help and hints for the system.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
use linux as chosen;
#[cfg(windows)]
use windows as chosen;

#[cfg(windows)]
pub use chosen::end;
pub use chosen::{files, folders, help, host, interrupt, terminal};
