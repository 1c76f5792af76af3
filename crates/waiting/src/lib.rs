//! How a thread waits for a lock. This crate is for those who write locks; a program that only needs one uses the crate
//! `tollgate`, or a lock of `locktoll-locks`.
//!
//! | module | contents |
//! |---|---|
//! | [`park`] | a word that threads sleep on: futex(2) on Linux, WaitOnAddress on Windows |
//! | [`backoff`] | ways to pass the time before that: spinning, pausing, yielding, napping |
//! | [`clock`] | the clock that bounds spinning |
//! | [`sync`] | the atomics. Under `--cfg locktoll_loom`, models of them, and faults that a test can plant |
//! | [`system`] | the calls of the operating system |
//!
//! A lock implements [`RawLock`], and where it can, [`TimedLock`] and [`ForkLock`]. With any such lock, threads can wait for a
//! [`Condition`].
//!
//! # A lock in a few lines
//!
//! ```
//! use locktoll_waiting::backoff::SpinBudget;
//! use locktoll_waiting::park::Futex;
//! use locktoll_waiting::sync::Ordering;
//! use locktoll_waiting::RawLock;
//!
//! /// 0 is free, 1 is held. Threads may sleep whenever it is held, so each release makes a system call.
//! struct Simple(Futex);
//!
//! // SAFETY: the exchange lets one thread in at a time; acquire and release order one holder after the other.
//! unsafe impl RawLock for Simple {
//!     fn new() -> Self {
//!         Self(Futex::new(0))
//!     }
//!     fn lock(&self) {
//!         let mut spinning = SpinBudget::new(100);
//!         while !self.try_lock() {
//!             if !spinning.spin() {
//!                 self.0.wait(1);
//!             }
//!         }
//!     }
//!     fn try_lock(&self) -> bool {
//!         self.0.swap(1, Ordering::Acquire) == 0
//!     }
//!     unsafe fn unlock(&self) {
//!         self.0.store(0, Ordering::Release);
//!         self.0.wake_one();
//!     }
//!     fn is_locked(&self) -> bool {
//!         self.0.load(Ordering::Relaxed) == 1
//!     }
//! }
//!
//! let lock = Simple::new();
//! lock.lock();
//! assert!(!lock.try_lock());
//! ```
//!
//! The crate is `no_std`.
#![no_std]
#[cfg(any(locktoll_loom, test))]
extern crate std;

pub mod backoff;
pub mod clock;
pub mod condition;
#[cfg(not(locktoll_loom))]
mod deadline;
pub mod park;
mod raw;
mod raw_fork;
mod raw_timed;
pub mod sync;
#[cfg(not(locktoll_loom))]
pub mod system;
pub mod waiter;

pub use condition::Condition;
#[cfg(not(locktoll_loom))]
pub use deadline::Deadline;
pub use raw::RawLock;
pub use raw_fork::ForkLock;
pub use raw_timed::{TimedLock, look_until, try_with_naps};
#[cfg(locktoll_loom)]
pub use sync::Deadline;
#[cfg(not(locktoll_loom))]
pub use system::DeadlineClock;
pub use waiter::{Waiter, Woken};
