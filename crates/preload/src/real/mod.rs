//! The functions that our exports stand in front of.
//!
//! They are looked up when first needed, because locks are taken before our constructor has run. The look-up is
//! idempotent and every thread that needs it does it for itself: waiting for another thread to finish would be
//! waiting, inside a lock function, for somebody who may need the dynamic linker's lock that we hold.
//!
//! dlsym(3) allocates when it fails, and an interposed `malloc` may take a mutex and so come back to us on the same
//! thread. Hence before any look-up that may fail come those of the functions that `malloc` may call, which every C
//! library has.

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
