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
//! - **Cheap when uncontended.** With Linux 5.10 or later and glibc 2.35 or later on x86-64, an acquisition is one
//!   compare-and-exchange, and a release is a plain store. Elsewhere the release is a compare-and-exchange, too.
//! - **Barging.** A thread that finds the mutex free takes it, although others wait. One waiter spins, and the others sleep.
//! - **Overtaking is bounded.** The first waiter lets others overtake it for 400 us; the next release then hands the mutex
//!   over to it. A thread waits for one such turn for each thread before it, plus hold times and scheduling delays.
//! - **16 bytes**, all zeros when free; [`Mutex::new`] is a `const fn`. It allocates no memory.
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
//! # When not to use it
//!
//! - With real-time threads: waiters are not served by priority, and there is no priority inheritance. Use the C library's
//!   mutex.
//! - Between processes, in signal handlers that may have interrupted the holder, or recursively.
//! - If readers hold it for microseconds: then a reader-writer lock pays, such as `RwFair`, `RwReader` or `RwPark` of
//!   `locktoll-locks`. There is none here, because the bookkeeping of one costs more than waiting for this mutex if holds are
//!   shorter than that.
//! - Under Miri or ThreadSanitizer: on x86-64 Linux, the word is changed by assembly, which they do not understand.
//!
//! In gdb, a breakpoint inside a release can make a waiter up to a second late: `set displaced-stepping off` avoids this.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `std` (on by default) | waiting until an `Instant`, and [`poisoning`] |
//! | `lock_api` | the traits of `lock_api` 0.5 for [`RawMutex`]: `RawMutex`, `RawMutexFair` and, with `std`, `RawMutexTimed` |
//! | `c-library` | the functions of `locktoll.h`, exported |
//!
//! The crate is `no_std` without the feature `std`. It needs a 64-bit Linux, or Windows 8 and later.
#![no_std]
#[cfg(any(feature = "std", locktoll_loom, test))]
extern crate std;

#[cfg(all(
    feature = "c-library",
    target_os = "linux",
    target_has_atomic = "64",
    not(locktoll_loom)
))]
pub mod c_api;
#[cfg(all(target_has_atomic = "64", not(locktoll_loom)))]
mod condvar;
#[cfg(all(feature = "lock_api", target_has_atomic = "64", not(locktoll_loom)))]
mod lock_api_traits;
#[cfg(all(target_has_atomic = "64", not(locktoll_loom)))]
mod mutex;
#[cfg(all(feature = "std", target_has_atomic = "64", not(locktoll_loom)))]
pub mod poisoning;
#[cfg(any(locktoll_loom, target_has_atomic = "64"))]
pub mod raw_mutex;
#[cfg(not(locktoll_loom))]
mod setting;

#[cfg(all(target_has_atomic = "64", not(locktoll_loom)))]
pub use condvar::{Condvar, WaitTimeoutResult};
#[cfg(all(target_has_atomic = "64", not(locktoll_loom)))]
pub use mutex::{MappedMutexGuard, Mutex, MutexGuard};
#[cfg(any(locktoll_loom, target_has_atomic = "64"))]
#[doc(inline)]
pub use raw_mutex::RawMutex;
#[cfg(all(target_has_atomic = "64", not(locktoll_loom)))]
pub use setting::prepare;
#[cfg(all(target_os = "linux", not(locktoll_loom)))]
pub use setting::wait_by_futex_alone;

#[cfg(not(locktoll_loom))]
use locktoll_waiting::system;
use locktoll_waiting::{Deadline, ForkLock, RawLock, TimedLock, Waiter};
use locktoll_waiting::{backoff, clock, park, sync, waiter};
