//! Runs that watch the system during an activity.
//!
//! - `kernel`: rounds of a build during which the kernel's locks are watched.
//! - `look`: the activity of the whole system while a cell runs, and before.
//!
//! These exist only on Linux; on other systems, each reports that it is not available.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::{carry_out, look_twice};
#[cfg(windows)]
pub use windows::{carry_out, look_twice};
