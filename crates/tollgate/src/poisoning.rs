//! The mutex with the interface of `std::sync`: a program that uses `std::sync::Mutex` and `std::sync::Condvar` changes the line
//! with `use`.
//!
//! ```
//! use std::sync::Arc;
//! use std::thread;
//! // Before: use std::sync::{Condvar, Mutex};
//! use tollgate::poisoning::{Condvar, Mutex};
//!
//! let shared = Arc::new((Mutex::new(false), Condvar::new()));
//! let theirs = Arc::clone(&shared);
//! let worker = thread::spawn(move || {
//!     let (ready, changed) = &*theirs;
//!     *ready.lock().unwrap() = true;
//!     changed.notify_one();
//! });
//! let (ready, changed) = &*shared;
//! let guard = changed.wait_while(ready.lock().unwrap(), |ready| !*ready).unwrap();
//! assert!(*guard);
//! drop(guard);
//! worker.join().unwrap();
//! ```
//!
//! If a thread panics while it holds the mutex, the mutex is *poisoned*: later acquisitions return an error with the guard in
//! it. The errors are the types of `std::sync`. An acquisition and its release each check whether the thread panics.

mod condvar;
mod guard;
mod mutex;

pub use condvar::Condvar;
pub use guard::MutexGuard;
pub use mutex::Mutex;

pub use crate::WaitTimeoutResult;
