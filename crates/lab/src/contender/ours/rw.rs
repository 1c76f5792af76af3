//! The reader-writer locks of `locktoll-locks` as contenders.
//!
//! # Invariants
//!
//! - **Q1** A guard exists once for each acquisition of its kind, and is used up by its `drop`.

use std::marker::PhantomData;

use locktoll_locks::{RawRw, RwFair, RwReader};

use super::super::{Contender, CreateError, LockOptions};

/// A reader-writer lock made from the options.
pub(super) trait RwRecipe: RawRw + 'static {
    /// Makes a free lock.
    fn make(options: &LockOptions) -> Self;
}

impl RwRecipe for RwFair {
    fn make(_: &LockOptions) -> Self {
        RwFair::new()
    }
}

impl RwRecipe for RwReader {
    fn make(options: &LockOptions) -> Self {
        RwReader::with_spin(options.spin.unwrap_or(RwReader::DEFAULT_SPIN))
    }
}

/// A reader-writer lock under test.
pub(super) struct Rw<L>(L);

/// An exclusive acquisition.
pub(super) struct Written<'a, L: RawRw> {
    lock: &'a L,
    not_send: PhantomData<*const ()>,
}

impl<L: RawRw> Drop for Written<'_, L> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: Q1.
        unsafe { self.lock.unlock_exclusive() }
    }
}

/// A shared acquisition.
struct Read<'a, L: RawRw>(&'a L);

impl<L: RawRw> Drop for Read<'_, L> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: Q1.
        unsafe { self.0.unlock_shared() }
    }
}

impl<L: RwRecipe> Contender for Rw<L> {
    type Held<'a> = Written<'a, L>;

    fn create(options: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(L::make(options)))
    }

    #[inline(always)]
    fn acquire(&self) -> Written<'_, L> {
        self.0.lock_exclusive();
        Written {
            lock: &self.0,
            not_send: PhantomData,
        }
    }

    #[inline(always)]
    fn read<R>(&self, mut body: impl FnMut() -> R) -> R {
        self.0.lock_shared();
        let _shared = Read(&self.0);
        body()
    }
}
