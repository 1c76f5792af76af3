//! What reading asks of the operating system: the one place that knows which it runs on.
//!
//! `unix` and `windows` answer with functions of the same names: bytes of a file at a place, and a path or an argument of
//! the recorded program as text of this system.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as chosen;
#[cfg(windows)]
use windows as chosen;

pub(super) use chosen::{read_at, text};
