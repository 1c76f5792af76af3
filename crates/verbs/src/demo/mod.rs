//! Programs that this one starts as children under the recorder: a small job server with one hot lock, one lock held across a
//! sleep, and one that is fine, for `tour`; and pairs of lock and unlock, for the cost of recording them. A build, for
//! `reproduce`, has no locks: while it runs, the kernel's locks are watched.
//!
//! The others use the C library's mutexes directly, so the recording has exactly the calls in the source.

mod build;
mod log;
mod pairs;
mod queue;
mod run;
mod server;
mod statistics;

pub use build::{build, built_by, small_program};
pub use pairs::measure as measure_pairs;
pub use run::{run, run_build, run_pairs};
pub use server::serve;

use std::cell::UnsafeCell;

/// A static `pthread_mutex_t`.
///
/// Invariant D1: each function that locks one unlocks it on its only way out, and the data that the mutex guards is touched only
/// in between.
struct StaticMutex(UnsafeCell<libc::pthread_mutex_t>);

impl StaticMutex {
    const fn new() -> Self {
        Self(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER))
    }

    const fn get(&self) -> *mut libc::pthread_mutex_t {
        self.0.get()
    }
}

// SAFETY: a pthread mutex is made to be used by several threads through its address.
unsafe impl Sync for StaticMutex {}

/// Data that a [`StaticMutex`] guards.
struct Guarded<T>(UnsafeCell<T>);

// SAFETY: D1: the data is touched only while its mutex is held, by one thread at a time.
unsafe impl<T: Send> Sync for Guarded<T> {}
