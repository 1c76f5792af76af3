//! Words that threads sleep on in the kernel until they change.
//!
//! # Invariants
//!
//! - **P1** With respect to wakes of the word, the system compares the word and queues the sleeper in one step. So a waker
//!   that first changes the word and then wakes cannot be missed: the sleeper either is woken or never sleeps.
//! - **P2** A return from [`Futex::wait`] proves nothing: the word may not have matched, a signal may have come, or the wake
//!   may have been meant for an earlier user of the address. Callers check again.
//! - **P3** The code relies on no ordering from the system calls. Data is passed on by the acquire and release orderings on
//!   the words themselves.
//! - **P4** Waking needs only the word's address: the word may be gone, since the thread that released a lock may be overtaken
//!   by the thread that frees it. A wake may then reach a thread that sleeps on new memory at that address, which P2 allows.
//!
//! Source: futex(2); U. Drepper, "Futexes Are Tricky" (2011).

mod tokens;

use core::ops::Deref;

use crate::Deadline;
use crate::sync::{AtomicU32, const_fn};
#[cfg(any(locktoll_loom, target_has_atomic = "64"))]
use crate::sync::{AtomicU64, Lifetime};
#[cfg(not(locktoll_loom))]
use crate::system;
pub use tokens::Tokens;

/// A 32-bit word that threads can sleep on.
#[derive(Debug)]
pub struct Futex {
    word: AtomicU32,
    #[cfg(locktoll_loom)]
    queue: crate::sync::FutexQueue,
}

impl Futex {
    const_fn! {
        /// Creates a word with this value, on which nobody sleeps.
        pub fn new(value: u32) -> Self {
            Self {
                word: AtomicU32::new(value),
                #[cfg(locktoll_loom)]
                queue: crate::sync::FutexQueue::new(),
            }
        }
    }

    /// Sleeps if the word is `expected` (P1), until woken. May return early (P2).
    #[inline]
    pub fn wait(&self, expected: u32) {
        #[cfg(locktoll_loom)]
        self.queue.wait(&self.word, expected);
        #[cfg(not(locktoll_loom))]
        system::sleep(&self.word, expected);
    }

    /// Sleeps like [`wait`](Self::wait), but at most until the deadline. A return proves as little (P2): a wake-up may have
    /// come at the same moment as the deadline, so callers check their lock first, and then the clock.
    #[inline]
    pub fn wait_until(&self, expected: u32, deadline: &Deadline) {
        #[cfg(locktoll_loom)]
        self.queue.wait_until(&self.word, expected, deadline);
        #[cfg(not(locktoll_loom))]
        system::sleep_until(
            &self.word,
            expected,
            deadline.clock(),
            deadline.since_zero(),
        );
    }

    /// Sleeps until woken, or until a deadline if there is one.
    #[inline]
    pub fn wait_maybe_until(&self, expected: u32, deadline: Option<&Deadline>) {
        match deadline {
            Some(deadline) => self.wait_until(expected, deadline),
            None => self.wait(expected),
        }
    }

    /// Wakes one sleeper, if there is one (P4).
    #[inline]
    pub fn wake_one(&self) {
        #[cfg(locktoll_loom)]
        self.queue.wake(1);
        #[cfg(not(locktoll_loom))]
        system::wake_one(&self.word);
    }

    /// Wakes all sleepers (P4).
    #[inline]
    pub fn wake_all(&self) {
        #[cfg(locktoll_loom)]
        self.queue.wake(i32::MAX as u32);
        #[cfg(not(locktoll_loom))]
        system::wake_all(&self.word);
    }
}

/// A word of 64 bits. Threads can sleep on its upper half while the lower half changes freely.
#[cfg(any(locktoll_loom, target_has_atomic = "64"))]
#[derive(Debug)]
pub struct WideFutex {
    word: AtomicU64,
    #[cfg(locktoll_loom)]
    queue: crate::sync::FutexQueue,
    lifetime: Lifetime,
}

#[cfg(any(locktoll_loom, target_has_atomic = "64"))]
impl WideFutex {
    const_fn! {
        /// Creates a word with this value, on which nobody sleeps.
        pub fn new(value: u64) -> Self {
            Self {
                word: AtomicU64::new(value),
                #[cfg(locktoll_loom)]
                queue: crate::sync::FutexQueue::new(),
                lifetime: Lifetime::new(),
            }
        }
    }

    /// Sleeps if the upper half equals the upper half of `expected` (P1), until woken or until the deadline. May return early
    /// (P2).
    pub fn wait_until(&self, expected: u64, deadline: Option<&Deadline>) {
        self.lifetime.touch();
        #[cfg(locktoll_loom)]
        self.queue
            .wait_while(|| self.word.look() >> 32 == expected >> 32, deadline);
        #[cfg(not(locktoll_loom))]
        {
            let expected = (expected >> 32) as u32;
            match deadline {
                Some(deadline) => system::sleep_until(
                    self.upper_half(),
                    expected,
                    deadline.clock(),
                    deadline.since_zero(),
                ),
                None => system::sleep(self.upper_half(), expected),
            }
        }
    }

    /// Wakes one sleeper, if there is one (P4).
    pub fn wake_one(&self) {
        #[cfg(locktoll_loom)]
        self.queue.wake(1);
        #[cfg(not(locktoll_loom))]
        system::wake_one(self.upper_half());
    }

    /// Tells the model that the word is freed here.
    #[cfg(locktoll_loom)]
    pub fn end(&self) {
        self.lifetime.end();
    }

    /// Returns the half that the kernel compares. Nothing in this program reads or writes the half separately.
    #[cfg(not(locktoll_loom))]
    fn upper_half(&self) -> &AtomicU32 {
        const UPPER: usize = if cfg!(target_endian = "little") { 1 } else { 0 };
        // SAFETY: four of the word's eight bytes, aligned.
        unsafe {
            &*core::ptr::from_ref(&self.word)
                .cast::<AtomicU32>()
                .add(UPPER)
        }
    }
}

#[cfg(any(locktoll_loom, target_has_atomic = "64"))]
impl Deref for WideFutex {
    type Target = AtomicU64;

    #[inline]
    fn deref(&self) -> &AtomicU64 {
        self.lifetime.touch();
        &self.word
    }
}

impl Deref for Futex {
    type Target = AtomicU32;

    #[inline]
    fn deref(&self) -> &AtomicU32 {
        &self.word
    }
}
