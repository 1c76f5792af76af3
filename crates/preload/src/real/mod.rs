//! The functions that the exports interpose.
//!
//! They are looked up when first needed, because locks are taken before this library's constructor has run. The look-up is
//! idempotent, and every thread that needs a function looks it up itself. Waiting for another thread to finish would mean
//! waiting, inside a lock function, for a thread that may need the dynamic linker's lock held here.
//!
//! dlsym(3) allocates when it fails, and an interposed `malloc` may take a mutex and so call this library again on
//! the same thread. Therefore the functions that `malloc` may call, which every C library has, are looked up before
//! any look-up that may fail.

mod blocking;
mod c11;
mod condition;
mod function;
mod futex;
mod mutex;
mod rwlock;
mod semaphore;
mod spin;
mod threads;

#[cfg(not(test))]
pub use blocking::*;
#[cfg(test)]
pub use blocking::{SCHED_YIELD, THRD_YIELD};
pub use c11::*;
pub use condition::*;
pub use function::{Function, Opaque};
pub use futex::*;
pub use mutex::*;
pub use rwlock::*;
pub use semaphore::*;
pub use spin::*;
pub use threads::*;
