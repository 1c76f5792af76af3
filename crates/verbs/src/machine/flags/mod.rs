//! Flags of `locktoll machine`: Linux has a live view, and probes of its own.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::MachineArgs;
#[cfg(windows)]
pub use windows::MachineArgs;
