//! Sleeping in the kernel until a word changes: all futex code is here.
//!
//! Futexes are private to the process, and called through rustix, which makes the system call
//! itself: a library that interposes the C library's `syscall` (a profiler's, say) does not see the
//! calls of these locks twice, and cannot be re-entered by them.
//!
//! # Invariants
//!
//! - **P1** The kernel compares the word and queues the sleeper in one step with regard to wakes of
//!   that word. So a waker that first changes the word and then wakes cannot be missed: the sleeper
//!   either is woken or never sleeps.
//! - **P2** A return from [`Futex::wait`] means nothing: the word may not have matched, a signal
//!   may have come, the wake may have been meant for an earlier user of the address. Callers look
//!   again.
//! - **P3** No ordering is taken from the system calls. Data is handed over by the acquire and
//!   release orderings on the words themselves.
//!
//! Source: futex(2); U. Drepper, "Futexes Are Tricky" (2011).

use core::ops::Deref;

use crate::Deadline;
#[cfg(not(loom))]
use crate::DeadlineClock;
use crate::sync::{AtomicU32, Ordering, const_fn, planted};
#[cfg(any(loom, target_has_atomic = "64"))]
use crate::sync::{AtomicU64, Lifetime};

/// A 32-bit word that threads can sleep on.
#[derive(Debug)]
pub(crate) struct Futex {
    word: AtomicU32,
    #[cfg(loom)]
    queue: crate::sync::FutexQueue,
}

impl Futex {
    const_fn! {
        pub(crate) fn new(value: u32) -> Self {
            Self {
                word: AtomicU32::new(value),
                #[cfg(loom)]
                queue: crate::sync::FutexQueue::new(),
            }
        }
    }

    /// Sleeps if the word is `expected` (P1), until woken; may return early (P2).
    #[inline]
    pub(crate) fn wait(&self, expected: u32) {
        #[cfg(loom)]
        self.queue.wait(&self.word, expected);
        // EAGAIN: the word differs; EINTR: a signal. Both are P2's "look again".
        #[cfg(not(loom))]
        let _ = rustix::thread::futex::wait(
            &self.word,
            rustix::thread::futex::Flags::PRIVATE,
            expected,
            None,
        );
    }

    /// Sleeps as [`wait`](Self::wait), and no longer than until the deadline. A return means as little (P2): a wake-up may
    /// have come at the same moment as the deadline, so callers look at their lock first, and at the clock then.
    #[inline]
    pub(crate) fn wait_until(&self, expected: u32, deadline: &Deadline) {
        #[cfg(loom)]
        self.queue.wait_until(&self.word, expected, deadline);
        #[cfg(not(loom))]
        sleep_until(&self.word, expected, deadline);
    }

    /// Sleeps until woken, or until a deadline if there is one.
    #[inline]
    pub(crate) fn wait_maybe_until(&self, expected: u32, deadline: Option<&Deadline>) {
        match deadline {
            Some(deadline) => self.wait_until(expected, deadline),
            None => self.wait(expected),
        }
    }

    /// Wakes one sleeper, if there is one.
    #[inline]
    pub(crate) fn wake_one(&self) {
        self.wake(1);
    }

    /// Wakes all sleepers.
    #[inline]
    pub(crate) fn wake_all(&self) {
        // The kernel takes the count as a signed number.
        self.wake(i32::MAX as u32);
    }

    #[inline]
    fn wake(&self, count: u32) {
        #[cfg(loom)]
        self.queue.wake(count);
        // The only error left is a word that has been unmapped since the caller released its
        // lock: then nobody sleeps on it.
        #[cfg(not(loom))]
        let _ =
            rustix::thread::futex::wake(&self.word, rustix::thread::futex::Flags::PRIVATE, count);
    }
}

/// Sleeps as long as the kernel lets us; whatever made it end means "look again" (P2).
#[cfg(not(loom))]
fn sleep_until(word: &AtomicU32, expected: u32, deadline: &Deadline) {
    use rustix::thread::futex::{Flags, wait_bitset};
    let flags = match deadline.clock() {
        DeadlineClock::Realtime => Flags::PRIVATE | Flags::CLOCK_REALTIME,
        DeadlineClock::Monotonic => Flags::PRIVATE,
    };
    // ETIMEDOUT, EAGAIN and EINTR are all "look again".
    let _ = wait_bitset(
        word,
        flags,
        expected,
        Some(&deadline.timespec()),
        core::num::NonZeroU32::MAX,
    );
}

/// A word of 64 bits whose upper half threads can sleep on, while the lower half changes as it likes.
#[cfg(any(loom, target_has_atomic = "64"))]
#[derive(Debug)]
pub(crate) struct WideFutex {
    word: AtomicU64,
    #[cfg(loom)]
    queue: crate::sync::FutexQueue,
    lifetime: Lifetime,
}

#[cfg(any(loom, target_has_atomic = "64"))]
impl WideFutex {
    const_fn! {
        pub(crate) fn new(value: u64) -> Self {
            Self {
                word: AtomicU64::new(value),
                #[cfg(loom)]
                queue: crate::sync::FutexQueue::new(),
                lifetime: Lifetime::new(),
            }
        }
    }

    /// Sleeps if the upper half is that of `expected` (P1), until woken or until the deadline; may return early (P2).
    pub(crate) fn wait_until(&self, expected: u64, deadline: Option<&Deadline>) {
        self.lifetime.touch();
        #[cfg(loom)]
        self.queue
            .wait_while(|| self.word.look() >> 32 == expected >> 32, deadline);
        #[cfg(not(loom))]
        {
            let expected = (expected >> 32) as u32;
            match deadline {
                Some(deadline) => sleep_until(self.upper_half(), expected, deadline),
                None => {
                    use rustix::thread::futex::{Flags, wait};
                    // As above.
                    let _ = wait(self.upper_half(), Flags::PRIVATE, expected, None);
                }
            }
        }
    }

    /// Wakes one sleeper, if there is one. Of the memory it needs the address alone.
    pub(crate) fn wake_one(&self) {
        #[cfg(loom)]
        self.queue.wake(1);
        #[cfg(not(loom))]
        let _ = rustix::thread::futex::wake(
            self.upper_half(),
            rustix::thread::futex::Flags::PRIVATE,
            1,
        );
    }

    /// Tells the model that the word is freed here.
    #[cfg(loom)]
    pub(crate) fn end(&self) {
        self.lifetime.end();
    }

    /// For the kernel, which compares it; nothing in this program reads or writes the half by itself.
    #[cfg(not(loom))]
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

#[cfg(any(loom, target_has_atomic = "64"))]
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

/// Wake-ups that are kept until somebody takes them: a counting semaphore without a waiter count.
///
/// For locks that keep their waiters' number in a word of their own, and give exactly one token a
/// waiter that they take off that number. A token given before the waiter sleeps is not
/// lost, which makes the way from "enlisted" to "asleep" safe.
#[derive(Debug)]
pub(crate) struct Tokens {
    count: Futex,
}

impl Tokens {
    const_fn! {
        pub(crate) fn new() -> Self {
            Self { count: Futex::new(0) }
        }
    }

    /// Takes a token, sleeping until there is one.
    #[cold]
    pub(crate) fn take(&self) {
        self.take_maybe_until(None);
    }

    /// Takes a token, sleeping until there is one (`true`), or until the deadline if there is one. A token that is there is
    /// taken even after it.
    #[cold]
    pub(crate) fn take_maybe_until(&self, deadline: Option<&Deadline>) -> bool {
        loop {
            if planted("clock-first") && deadline.is_some_and(Deadline::has_passed) {
                return false;
            }
            // Relaxed: a hint for the exchange below.
            let mut count = self.count.load(Ordering::Relaxed);
            while count > 0 {
                // Relaxed (P3): a token says "look again", it hands over no data.
                match self.count.compare_exchange(
                    count,
                    count - 1,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => return true,
                    Err(now) => count = now,
                }
            }
            if deadline.is_some_and(Deadline::has_passed) {
                return false;
            }
            self.count.wait_maybe_until(0, deadline);
        }
    }

    /// For a sleeper whose time is up: takes it off the number of those that no token has been given for (`true`); or, if
    /// none is left there, takes the token that was given to the last of the others, or is about to be (`false`).
    ///
    /// `take_off` says what becomes of the word with that number, `None` if none is left. Tokens have no names: it does not
    /// matter whether the sleeper that leaves is the one that a token was meant for, as long as there is one for each other.
    #[cold]
    pub(crate) fn withdraw(
        &self,
        sleepers: &AtomicU32,
        take_off: impl Fn(u32) -> Option<u32>,
    ) -> bool {
        // Relaxed, all (P3): it hands over nothing.
        let mut value = sleepers.load(Ordering::Relaxed);
        while let Some(less) = take_off(value) {
            if planted("skip-withdrawal") {
                return true;
            }
            match sleepers.compare_exchange(value, less, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => value = now,
            }
        }
        if planted("leave-token") {
            return true;
        }
        // Whoever gives it has a few steps to do.
        self.take();
        false
    }

    /// Adds a token and wakes one sleeper for it.
    #[cold]
    pub(crate) fn give(&self) {
        self.add();
        self.wake();
    }

    /// Adds a token. Whoever does this calls [`wake`](Self::wake) soon, before which only those who are awake take it.
    #[inline]
    pub(crate) fn add(&self) {
        // Relaxed (P3), as above.
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Wakes one sleeper for a token that was added. Touches no memory of ours, only its address.
    #[cold]
    pub(crate) fn wake(&self) {
        self.count.wake_one();
    }

    /// Throws all tokens away: those that they were meant for are not there any more.
    pub(crate) fn clear(&self) {
        // Relaxed: nobody else uses the lock (see `ForkLock`).
        self.count.store(0, Ordering::Relaxed);
    }
}
