//! Locks that are kernel objects: every operation is a system call, contended or not.
//!
//! They exist for comparison (the white papers' "kernel lock"), and implement `lock_api` like the others. All of
//! them need Linux. The kernel object is made at the first use, so that a lock can be a constant; it is destroyed
//! with the lock.

mod eventfd;
mod lazy;
mod pipe_token;
mod refused;
mod sysv_semaphore;

pub use eventfd::Eventfd;
pub use pipe_token::PipeToken;
pub use refused::Refused;
pub use sysv_semaphore::SysvSemaphore;
