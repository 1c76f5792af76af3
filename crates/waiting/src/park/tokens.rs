//! Wake-ups that are not lost.

use super::Futex;
use crate::Deadline;
use crate::sync::{AtomicU32, Ordering, const_fn, planted};

/// Wake-ups that are kept until a thread takes them: a counting semaphore without a waiter count.
///
/// For locks that keep the number of their waiters in another word, and give exactly one token for each waiter that they take
/// off that number. A token given before the waiter sleeps is not lost, which makes the step from "enlisted" to "asleep" safe.
#[derive(Debug)]
pub struct Tokens {
    count: Futex,
}

impl Default for Tokens {
    fn default() -> Self {
        Self::new()
    }
}

impl Tokens {
    const_fn! {
        /// Creates an account without tokens.
        pub fn new() -> Self {
            Self { count: Futex::new(0) }
        }
    }

    /// Takes a token, and sleeps until there is one.
    #[cold]
    pub fn take(&self) {
        self.take_maybe_until(None);
    }

    /// Takes a token, and sleeps until there is one (`true`), or until the deadline if there is one. An available token is
    /// taken even after the deadline.
    #[cold]
    pub fn take_maybe_until(&self, deadline: Option<&Deadline>) -> bool {
        loop {
            if planted("clock-first") && deadline.is_some_and(Deadline::has_passed) {
                return false;
            }
            // Relaxed: a hint for the exchange below.
            let mut count = self.count.load(Ordering::Relaxed);
            while count > 0 {
                // Relaxed (P3): a token means "check again", and passes on no data.
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

    /// For a sleeper whose time is up. Takes it off the number of sleepers that no token has been given for, and returns
    /// `true`. If none is left there, takes the token that was given to the last of the others, or is about to be, and returns
    /// `false`.
    ///
    /// `take_off` returns the new value of the word with that number, or `None` if none is left. Tokens have no names: it does
    /// not matter whether the leaving sleeper is the one that a token was meant for, as long as there is one token for each
    /// other sleeper.
    #[cold]
    pub fn withdraw(&self, sleepers: &AtomicU32, take_off: impl Fn(u32) -> Option<u32>) -> bool {
        // Relaxed throughout (P3): it passes on no data.
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
        // The thread that gives the token has only a few steps left to do.
        self.take();
        false
    }

    /// Adds a token and wakes one sleeper for it.
    #[cold]
    pub fn give(&self) {
        self.add();
        self.wake();
    }

    /// Adds a token. The caller calls [`wake`](Self::wake) soon; until then, only threads that are awake can take it.
    #[inline]
    pub fn add(&self) {
        // Relaxed (P3), as above.
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Wakes one sleeper for a token that was added. Uses only the address, and touches no memory.
    #[cold]
    pub fn wake(&self) {
        self.count.wake_one();
    }

    /// Discards all tokens: the threads that they were meant for no longer exist.
    pub fn clear(&self) {
        // Relaxed: nobody else uses the lock (see `ForkLock`).
        self.count.store(0, Ordering::Relaxed);
    }
}
