//! A mutex for everyday use, and its condition variable.
//!
//! ```
//! use std::thread;
//! use tollgate::Mutex;
//!
//! static COUNT: Mutex<u64> = Mutex::new(0);
//!
//! thread::scope(|scope| {
//!     for _ in 0..4 {
//!         scope.spawn(|| *COUNT.lock() += 1);
//!     }
//! });
//! assert_eq!(*COUNT.lock(), 4);
//! ```
//!
//! - **Cheap when uncontended.** On Linux and x86-64, an acquisition is one compare-and-exchange, and a release is a plain
//!   store. Elsewhere the release is an exchange.
//! - **Fast under contention.** A thread that finds the mutex free takes it, although others wait. One waiter spins, and the
//!   others sleep.
//! - **Waiting is bounded.** The thread that has waited longest lets others overtake it for 400 us; then the mutex is handed
//!   over to it.
//! - **16 bytes**, all zeros when free, and `const`.
//!
//! # Which type do I need?
//!
//! | you have | use |
//! |---|---|
//! | a new program, or one that uses parking_lot | [`Mutex`], [`Condvar`] |
//! | a program that uses `std::sync::Mutex` | [`poisoning::Mutex`], [`poisoning::Condvar`]: change the line with `use` |
//! | code that is generic over `lock_api` | [`RawMutex`], with the feature `lock_api` |
//! | a C or C++ program | `liblocktoll`: `cargo xtask install-c PREFIX`, in the repository |
//!
//! # The protocol
//!
//! [`raw_mutex`] describes it: the states of the lock and of a waiting thread, and the invariants that keep it correct. It is
//! modelled in loom and in Promela, and each model must find the faults that are planted for it.
//!
//! # What it does not do
//!
//! - There is no reader-writer lock here. A holder of this mutex costs other threads less than the bookkeeping of a
//!   reader-writer lock, unless readers hold it for microseconds. `locktoll-locks` has three of them.
//! - Threads are not served by priority, and there is no priority inheritance: a program with real-time threads needs the C
//!   library's mutex.
//! - It is not for use between processes, or in signal handlers that may have interrupted the holder.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `std` (on by default) | waiting until an `Instant`, and [`poisoning`] |
//! | `lock_api` | the traits of the crate `lock_api` for [`RawMutex`]: `RawMutex`, `RawMutexTimed`, `RawMutexFair` |
//! | `c-library` | the functions of `locktoll.h`, exported |
//!
//! The crate is `no_std` without the feature `std`. It needs Linux or Windows, and atomics of 64 bits.
#![no_std]
#[cfg(any(feature = "std", loom, test))]
extern crate std;

#[cfg(all(
    feature = "c-library",
    target_os = "linux",
    target_has_atomic = "64",
    not(loom)
))]
pub mod c_api;
#[cfg(all(target_has_atomic = "64", not(loom)))]
mod condvar;
#[cfg(all(feature = "lock_api", target_has_atomic = "64", not(loom)))]
mod lock_api_traits;
#[cfg(all(target_has_atomic = "64", not(loom)))]
mod mutex;
#[cfg(all(feature = "std", target_has_atomic = "64", not(loom)))]
pub mod poisoning;
#[cfg(any(loom, target_has_atomic = "64"))]
pub mod raw_mutex;
#[cfg(not(loom))]
mod setting;

#[cfg(all(target_has_atomic = "64", not(loom)))]
pub use condvar::{Condvar, WaitTimeoutResult};
#[cfg(all(target_has_atomic = "64", not(loom)))]
pub use mutex::{MappedMutexGuard, Mutex, MutexGuard};
#[cfg(any(loom, target_has_atomic = "64"))]
#[doc(inline)]
pub use raw_mutex::RawMutex;
#[cfg(all(target_has_atomic = "64", not(loom)))]
pub use setting::prepare;
#[cfg(all(target_os = "linux", not(loom)))]
pub use setting::wait_by_futex_alone;

#[cfg(not(loom))]
use locktoll_waiting::system;
use locktoll_waiting::{Deadline, ForkLock, RawLock, TimedLock, Waiter};
use locktoll_waiting::{backoff, clock, park, sync, waiter};
