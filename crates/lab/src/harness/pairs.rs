//! A given number of acquisitions and releases and nothing around them, for counting their instructions and
//! calls.

use crate::harness::{Contender, CreateError, LockOptions};

/// Takes and releases a free lock `pairs` times, when `around` calls what it is given.
///
/// # Errors
/// If the lock cannot be made here.
pub fn pairs<L: Contender>(
    options: &LockOptions,
    pairs: u64,
    around: &dyn Fn(&mut dyn FnMut()),
) -> Result<(), CreateError> {
    let lock = L::create(options)?;
    // What a thread does once, such as opening a file of its own, belongs to no pair.
    drop(lock.acquire());
    around(&mut || {
        for _ in 0..pairs {
            drop(lock.acquire());
        }
    });
    Ok(())
}
