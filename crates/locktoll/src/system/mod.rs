//! What the program asks of the operating system: the one place that knows which it runs on.
//!
//! `linux` and `windows` answer with functions of the same names:
//!
//! - `slice`: processes that run one slice each: started apart from our terminal, read from with a limit, ended, and told
//!   about in words.
//! - `interrupt`: what a user's wish to stop arrives by.
//! - `entries`: how many system calls a lock makes.
//! - `files`: the rights of a new report; `folders`: where a run that goes on is kept.
//! - `terminal`: how large it is.
//! - `bench_words`: the system's own locks in the help of `bench`; `help`: what other helps and hints say of the system.
//!
//! Verbs that exist on one system alone are chosen at the doors of `main.rs`, `verbs` and `cli`; inside a room nothing asks
//! where it is.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
use linux as chosen;
#[cfg(windows)]
use windows as chosen;

pub use chosen::{bench_words, entries, files, folders, help, interrupt, slice, terminal};
