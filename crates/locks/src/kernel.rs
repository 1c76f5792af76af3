//! Locks that are kernel objects: every operation is a system call, contended or not.
//!
//! ```
//! use locktoll_locks::{Eventfd, Mutex, Refused};
//!
//! # fn main() -> Result<(), Refused> {
//! let count = Mutex::from_raw(Eventfd::create()?, 0);
//! *count.lock() += 1;
//! # assert_eq!(count.into_inner(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! They exist for comparison with locks that enter the kernel only to sleep or to wake, and implement `lock_api` like
//! the others. All of them need Linux. With `new`, the kernel object is made at the first use, so that a lock can be a
//! constant. With `create`, it is made at once. It is destroyed with the lock.

mod eventfd;
mod lazy;
mod pipe_token;
mod refused;
mod sysv_semaphore;

pub use eventfd::Eventfd;
pub use pipe_token::PipeToken;
pub use refused::Refused;
pub use sysv_semaphore::SysvSemaphore;
