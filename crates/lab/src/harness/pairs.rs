//! A given number of acquisitions and releases without other work, for counting their instructions and calls.

use crate::harness::{Contender, CreateError, LockOptions};

/// Takes and releases a free lock `pairs` times, when `around` calls its argument.
///
/// # Errors
/// The lock cannot be made here.
pub fn pairs<L: Contender>(
    options: &LockOptions,
    pairs: u64,
    around: &dyn Fn(&mut dyn FnMut()),
) -> Result<(), CreateError> {
    let lock = L::create(options)?;
    // A thread's one-time work, such as opening its own file, must not count in any pair.
    drop(lock.acquire());
    around(&mut || {
        for _ in 0..pairs {
            drop(lock.acquire());
        }
    });
    Ok(())
}
