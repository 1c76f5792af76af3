//! Runs that watch the system during an activity.
//!
//! - `kernel`: rounds of a build during which the kernel's locks are watched.
//! - `look`: the activity of the whole system while a cell runs, and before. `counted`: the causes of the cell's switches, counted in
//!   the kernel.
//!
//! These exist only on Linux; on other systems, each reports that it is not available.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::{SwitchCounter, acquisitions, build, carry_out, look_twice};
#[cfg(windows)]
pub use windows::{SwitchCounter, carry_out, look_twice};
