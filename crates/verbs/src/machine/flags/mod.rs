//! Flags of `locktoll machine`: Linux has a live view and additional probes.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::MachineArgs;
#[cfg(windows)]
pub use windows::MachineArgs;
