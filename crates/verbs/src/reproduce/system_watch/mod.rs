//! Runs that watch the system while something goes on.
//!
//! - `kernel`: rounds of a build under the watch of the kernel's locks.
//! - `look`: what the whole system does while a cell runs, and before.
//!
//! Only Linux has either; elsewhere each says so.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::{carry_out, look_twice};
#[cfg(windows)]
pub use windows::{carry_out, look_twice};
