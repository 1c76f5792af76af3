//! The atomics that the algorithms use. This is the only place where they change for model checking.
//!
//! A lock of `tollgate` or `locktoll-locks` imports its atomics, its fences and its spin hint from here. In a normal
//! build these are the processor's own (`core`). Under `--cfg locktoll_loom` they are the model checker's,
//! which explores the interleavings and the stale values that the orderings allow, and which can
//! weaken one kind of ordering everywhere (`Mutation`): if a lock's model still passes without
//! its acquire orderings, that model does not check them.

#[cfg(locktoll_loom)]
#[expect(missing_docs, reason = "core documents the names that are its own")]
mod model;

#[cfg(locktoll_loom)]
pub use model::{
    AtomicPtr, AtomicU32, AtomicU64, FutexQueue, Lifetime, Ordering, fence, nap, planted,
    spin_loop, yield_now,
};
#[cfg(locktoll_loom)]
pub use model::{Deadline, Mutation, Site};

#[cfg(not(locktoll_loom))]
pub use crate::system::{nap, yield_now};
#[cfg(all(not(locktoll_loom), target_has_atomic = "64"))]
pub use core::sync::atomic::AtomicU64;
#[cfg(not(locktoll_loom))]
pub use core::{
    hint::spin_loop,
    sync::atomic::{AtomicPtr, AtomicU32, Ordering, fence},
};

/// Whether a test has planted the fault of this name in an algorithm.
#[cfg(not(locktoll_loom))]
pub const fn planted(_fault: &str) -> bool {
    false
}

/// Represents the memory of an object that may be freed while other threads run: the model checker detects whether it is
/// touched afterwards. It does nothing in a normal build.
#[cfg(not(locktoll_loom))]
#[derive(Debug)]
pub struct Lifetime;

#[cfg(not(locktoll_loom))]
impl Default for Lifetime {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(not(locktoll_loom))]
impl Lifetime {
    /// Begins the object.
    pub const fn new() -> Self {
        Self
    }

    /// The object is used here.
    #[inline]
    pub const fn touch(&self) {}
}

/// Defines a constructor that is `const` in a normal build. Loom's atomics cannot be made in a constant, so under `--cfg locktoll_loom`
/// the same function is an ordinary one.
#[macro_export]
macro_rules! const_fn {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty $body:block)+) => {
        $(
            #[cfg(not(locktoll_loom))]
            $(#[$meta])*
            $vis const fn $name($($arg: $ty),*) -> $ret $body

            #[cfg(locktoll_loom)]
            $(#[$meta])*
            $vis fn $name($($arg: $ty),*) -> $ret $body
        )+
    };
}
pub use crate::const_fn;
