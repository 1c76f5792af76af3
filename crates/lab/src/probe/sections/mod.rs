//! The families of probes that this system has.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub(super) use linux::SECTIONS;
#[cfg(windows)]
pub(super) use windows::SECTIONS;
