//! The reader's calls of the operating system. Only this module knows which system it is.
//!
//! `unix` and `windows` have functions with the same names: they read bytes of a file at an offset, and convert a path or an
//! argument of the recorded program to text of this system.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as chosen;
#[cfg(windows)]
use windows as chosen;

pub(super) use chosen::{read_at, text};
