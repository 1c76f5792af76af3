//! The work of the program when it was started by itself.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::serve;
#[cfg(windows)]
pub use windows::serve;
