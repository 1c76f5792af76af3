//! Wake-ups that are not lost.

use super::Futex;
use crate::Deadline;
use crate::sync::{AtomicU32, Ordering, const_fn, planted};

/// Wake-ups that are kept until a thread takes them: a counting semaphore without a waiter count.
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

    /// Adds a token. The caller calls [`wake`](Self::wake) soon; until then, only threads that are awake can take it.
    #[inline]
    pub(crate) fn add(&self) {
        // Relaxed (P3), as above.
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Wakes one sleeper for a token that was added. Touches no memory, only its address.
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
