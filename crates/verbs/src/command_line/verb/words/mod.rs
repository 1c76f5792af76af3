//! The help's description of the program, as worded for this system.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::{ABOUT, ABSENT, AFTER_HELP, COMPLETIONS, LICENCES, MAN};
#[cfg(windows)]
pub use windows::{ABOUT, ABSENT, AFTER_HELP, COMPLETIONS, LICENCES, MAN};
