//! Any `RawLock` as a contender.
//!
//! # Invariants
//!
//! - **R1** A [`Held`] exists once for each `lock` that returned, and is used up by the `unlock` in
//!   its `drop`: it is not `Clone`, and forgetting one only leaves the lock held.

use std::marker::PhantomData;

use locktoll_locks::RawLock;

use super::super::{Contender, CreateError, LockOptions};
use super::Recipe;

/// The lock that the recipe `R` makes.
pub(in super::super) struct Raw<R: Recipe> {
    pub(super) lock: R::Lock,
}

/// One acquisition of a `RawLock`. It is only a reference, so that acquiring and dropping it are just the direct calls.
pub(in super::super) struct Held<'a, L: RawLock> {
    lock: &'a L,
    /// As for every contender: the thread that locked unlocks.
    not_send: PhantomData<*const ()>,
}

impl<'a, L: RawLock> Held<'a, L> {
    /// Acquires.
    #[inline(always)]
    pub(in super::super) fn acquire(lock: &'a L) -> Held<'a, L> {
        lock.lock();
        Held {
            lock,
            not_send: PhantomData,
        }
    }
}

impl<L: RawLock> Drop for Held<'_, L> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: R1.
        unsafe { self.lock.unlock() }
    }
}

impl<R: Recipe> Contender for Raw<R> {
    type Held<'a> = Held<'a, R::Lock>;

    fn create(options: &LockOptions) -> Result<Self, CreateError> {
        R::make(options).map(|lock| Self { lock })
    }

    #[inline(always)]
    fn acquire(&self) -> Held<'_, R::Lock> {
        Held::acquire(&self.lock)
    }
}
