//! A kernel object that is made at the first use, once, by the first thread that needs it.
//!
//! | value | meaning |
//! |---|---|
//! | `NONE` | not made yet |
//! | anything else | the object's packed handle, until the lock is dropped |
//!
//! # Invariants
//!
//! - **L1** The handle is set once. A thread that made an object and lost the race destroys its
//!   own.

use core::sync::atomic::{AtomicU64, Ordering};

use rustix::io::Errno;

/// No handle packs to this value: handles consist of non-negative `i32`s.
const NONE: u64 = u64::MAX;

/// The handle of the object that a kernel lock consists of.
pub(super) trait Handle: Sized {
    /// Makes the object, free.
    fn make() -> Result<Self, Errno>;
    /// Returns the object to the kernel.
    fn destroy(self);
    fn pack(&self) -> u64;
    fn unpack(packed: u64) -> Self;
}

#[derive(Debug)]
pub(super) struct Lazy<H: Handle> {
    packed: AtomicU64,
    handle: core::marker::PhantomData<H>,
}

impl<H: Handle> Lazy<H> {
    pub(super) const fn new() -> Self {
        Self {
            packed: AtomicU64::new(NONE),
            handle: core::marker::PhantomData,
        }
    }

    pub(super) fn create() -> Result<Self, Errno> {
        let lazy = Self::new();
        lazy.make()?;
        Ok(lazy)
    }

    /// Returns the handle, if it has been made.
    #[inline]
    pub(super) fn made(&self) -> Option<H> {
        // Acquire: pairs with the release in `make`.
        let packed = self.packed.load(Ordering::Acquire);
        (packed != NONE).then(|| H::unpack(packed))
    }

    /// Returns the handle, and makes it if necessary.
    ///
    /// # Panics
    ///
    /// If the kernel refuses.
    #[inline]
    pub(super) fn get(&self) -> H {
        match self.made() {
            Some(handle) => handle,
            None => self
                .make()
                .unwrap_or_else(|errno| panic!("the kernel refused to make a lock: {errno}")),
        }
    }

    #[cold]
    fn make(&self) -> Result<H, Errno> {
        let handle = H::make()?;
        // Release: a thread that sees the handle sees the object made. Acquire: if another thread was first (L1), to see its
        // object.
        match self.packed.compare_exchange(
            NONE,
            handle.pack(),
            Ordering::Release,
            Ordering::Acquire,
        ) {
            Ok(_) => Ok(handle),
            Err(first) => {
                handle.destroy();
                Ok(H::unpack(first))
            }
        }
    }
}

impl<H: Handle> Drop for Lazy<H> {
    fn drop(&mut self) {
        if let Some(handle) = self.made() {
            handle.destroy();
        }
    }
}

/// Repeats a system call that a signal has interrupted.
#[inline]
pub(super) fn retry<T>(mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            result => return result,
        }
    }
}
