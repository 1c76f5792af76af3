//! Runs that watch the system during some activity.
//!
//! - `kernel`: rounds of a build under the watch of the kernel's locks.
//! - `look`: the activity of the whole system while a cell runs, and before.
//!
//! Only Linux has them; on other systems, each reports that.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::{carry_out, look_twice};
#[cfg(windows)]
pub use windows::{carry_out, look_twice};
