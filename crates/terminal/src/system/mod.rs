//! What printing and stopping ask of the operating system: `linux` and `windows` answer with functions of the same names.
//!
//! - `interrupt`: what a user's wish to stop arrives by.
//! - `files`: how a file that the user names is written; `folders`: where a run that goes on is kept.
//! - `terminal`: how large it is.
//! - `end`: on Windows, the end of a process at once.
//! - `host`: the machine's name.
//! - `help`: what helps and hints say of the system.

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
