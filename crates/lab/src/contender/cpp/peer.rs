//! A peer's lock as a contender.
//!
//! # Invariants
//!
//! - **C1** `object` was initialised by the lock's own `init` and not used before it reached its
//!   place; from the first lock on it stays there, since every use borrows it.
//! - **C2** A [`Held`] exists only on the thread whose `lock` returned, once for each return, with
//!   the token of that return.

use std::cell::UnsafeCell;
#[cfg(any(feature = "peer-tbb", feature = "peer-ck"))]
use std::ffi::c_void;
use std::marker::PhantomData;

use super::super::{Contender, CreateError, LockOptions};
use super::ffi::{Functions, Object};

/// The token of a lock that needs nothing between acquisition and release.
pub(super) type NoNode = ();
/// The token of a queue lock: its node.
#[cfg(any(feature = "peer-tbb", feature = "peer-ck"))]
pub(super) type Node = *mut c_void;

/// A lock operated through the functions `F`.
pub(super) struct Peer<F: Functions<Token>, Token: Copy + 'static> {
    object: UnsafeCell<Object>,
    functions: PhantomData<fn(Token) -> F>,
}

// SAFETY: each lock is made for use by several threads; it is moved only before its first use (C1).
unsafe impl<F: Functions<Token>, Token: Copy> Send for Peer<F, Token> {}
// SAFETY: as above.
unsafe impl<F: Functions<Token>, Token: Copy> Sync for Peer<F, Token> {}

impl<F: Functions<Token>, Token: Copy> Drop for Peer<F, Token> {
    fn drop(&mut self) {
        // SAFETY: C1; no thread holds it, since a `Held` would borrow it.
        unsafe { F::destroy(self.object.get()) }
    }
}

/// One acquisition.
pub(super) struct Held<'a, F: Functions<Token>, Token: Copy + 'static> {
    peer: &'a Peer<F, Token>,
    token: Token,
    /// The thread that locked must unlock (C2).
    not_send: PhantomData<*const ()>,
}

impl<F: Functions<Token>, Token: Copy> Drop for Held<'_, F, Token> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: C1, C2.
        unsafe { F::unlock(self.peer.object.get(), self.token) }
    }
}

impl<F: Functions<Token>, Token: Copy + 'static> Contender for Peer<F, Token> {
    type Held<'a> = Held<'a, F, Token>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        let peer = Self {
            object: UnsafeCell::new(Object::zeroed()),
            functions: PhantomData,
        };
        // SAFETY: the memory has the size and alignment that the shim needs (see `Object`).
        unsafe { F::init(peer.object.get()) };
        Ok(peer)
    }

    #[inline(always)]
    fn acquire(&self) -> Held<'_, F, Token> {
        Held {
            peer: self,
            // SAFETY: C1.
            token: unsafe { F::lock(self.object.get()) },
            not_send: PhantomData,
        }
    }
}
