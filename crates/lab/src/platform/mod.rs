//! What the laboratory asks of the operating system, the same questions on each: the one place that knows which it runs on.
//!
//! `linux` and `windows` answer with functions of the same names. Rooms that exist on one system alone (probes of its own
//! calls, locks of its own libraries) are chosen at their doors; inside a room nothing asks where it is.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
use windows as system;

#[cfg(target_os = "linux")]
pub use linux::emulator::Emulator;
pub use system::priority::{Background, RAISABLE_NICE, Raised, own_priority};
pub use system::stand_in::stand_in;
pub use system::this_program::this_program;
