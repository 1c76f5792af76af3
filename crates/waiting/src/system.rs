//! The calls of the operating system that the locks use. Only this module depends on which system it is.
//!
//! `linux` and `windows` have functions of the same names: sleep on a word of 32 bits, wake the threads that sleep on it,
//! yield the processor, nap, read a clock, and report whether threads run at the same time. Words are private to the process.
//! These functions keep the invariants P1 to P4, which are listed at the head of `park`. Under loom, this module does not exist:
//! the model checker has its own queues.

mod deadline_clock;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

pub use deadline_clock::DeadlineClock;
#[cfg(target_os = "linux")]
pub use linux::{is_by_futex_alone, nap, wait_by_futex_alone, yield_now};
#[cfg(target_os = "linux")]
pub use linux::{now, runs_two, sleep, sleep_until, wake_all, wake_one};
#[cfg(windows)]
pub use windows::{nap, now, runs_two, sleep, sleep_until, wake_all, wake_one, yield_now};
