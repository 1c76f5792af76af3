//! A mutex whose holds may be sped up virtually (`speed_up`).
//!
//! The algorithm is that of `Futex3` without spinning, which is also that of the C library's normal mutex. Whatever may be seen by other
//! threads happens after a payment. A thread that was woken pays for the time since the release, before it tries again: in that
//! time other threads may have acquired and released the lock, and a shorter hold would have ended earlier.
//!
//! # Invariants
//!
//! - **S1** `word` follows the invariants of `Futex3`.
//! - **S2** Only the holder writes `released`, and the slot in `choice`.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU32, AtomicU64};

use locktoll_locks::{Deadline, ForkLock, Futex, RawLock, TimedLock};

use super::room::{InPlace, fits};
use crate::speed_up::{self, Saved};

const FREE: u32 = 0;
const HELD: u32 = 1;
const CONTENDED: u32 = 2;

/// Nothing has been decided about the lock.
const UNDECIDED: u32 = 0;
/// Its holds are as they are.
const LEFT: u32 = 1;
/// Its holds are sped up. In the bits above: the number of the holder's slot, or 0.
const CHOSEN: u32 = 2;
const SHIFT: u32 = 2;

/// A mutex whose holds may be sped up.
#[derive(Debug)]
#[repr(C)]
pub struct SpedUp {
    word: Futex,
    choice: AtomicU32,
    /// What had been saved when a holder last released the lock while other threads slept.
    released: AtomicU64,
}

impl SpedUp {
    /// Whether it has been decided whether the lock's holds are sped up.
    #[inline]
    pub fn is_decided(&self) -> bool {
        // Relaxed: the word publishes nothing, and the decision of two threads is the same.
        self.choice.load(Relaxed) != UNDECIDED
    }

    /// Notes the decision. Returns whether it is the first one.
    pub fn decide(&self, is_chosen: bool) -> bool {
        let choice = if is_chosen { CHOSEN } else { LEFT };
        self.choice
            .compare_exchange(UNDECIDED, choice, Relaxed, Relaxed)
            .is_ok()
    }

    #[inline]
    fn acquire(&self) -> bool {
        // Acquire: pairs with the release in `unlock`.
        self.word
            .compare_exchange(FREE, HELD, Acquire, Relaxed)
            .is_ok()
    }

    #[inline]
    fn begin(&self) {
        if self.choice.load(Relaxed) & CHOSEN != 0 {
            // S2.
            self.choice
                .store(CHOSEN | speed_up::begin() << SHIFT, Relaxed);
        }
    }

    #[cold]
    fn lock_contended(&self, deadline: Option<&Deadline>) -> bool {
        // Acquire: as above, if FREE is the value replaced.
        while self.word.swap(CONTENDED, Acquire) != FREE {
            if deadline.is_some_and(Deadline::has_passed) {
                return false;
            }
            speed_up::suspend();
            self.word.wait_maybe_until(CONTENDED, deadline);
            // Relaxed: an amount that passes on nothing. An older one only makes the payment longer.
            speed_up::woken(Saved::from_bits(self.released.load(Relaxed)));
        }
        true
    }
}

// SAFETY: S1.
unsafe impl RawLock for SpedUp {
    fn new() -> Self {
        Self::with_parameter(0)
    }

    #[inline]
    fn lock(&self) {
        speed_up::pay();
        if !self.acquire() {
            self.lock_contended(None);
        }
        self.begin();
    }

    #[inline]
    fn try_lock(&self) -> bool {
        speed_up::pay();
        let is_acquired = self.acquire();
        if is_acquired {
            self.begin();
        }
        is_acquired
    }

    #[inline]
    unsafe fn unlock(&self) {
        speed_up::pay();
        let choice = self.choice.load(Relaxed);
        if choice & CHOSEN != 0 {
            speed_up::end(choice >> SHIFT);
        }
        // Relaxed, both: S2, and the release below publishes it. A thread that begins to sleep after this has just paid.
        if self.word.load(Relaxed) == CONTENDED {
            self.released
                .store(speed_up::saved_by_now().bits(), Relaxed);
        }
        // Release: what the holder did is visible to the thread that replaces FREE.
        if self.word.swap(FREE, Release) == CONTENDED {
            self.word.wake_one();
        }
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot.
        self.word.load(Relaxed) != FREE
    }
}

// SAFETY: as above.
unsafe impl TimedLock for SpedUp {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        speed_up::pay();
        let is_acquired = self.acquire() || self.lock_contended(Some(deadline));
        if is_acquired {
            self.begin();
        }
        is_acquired
    }
}

impl ForkLock for SpedUp {
    unsafe fn forget_waiters(&self) {
        // Relaxed, throughout: no other thread uses the lock.
        if self.word.load(Relaxed) == CONTENDED {
            self.word.store(HELD, Relaxed);
        }
        // The slot belongs to a thread of another process.
        let choice = self.choice.load(Relaxed);
        self.choice.store(choice & (LEFT | CHOSEN), Relaxed);
        // In this process nothing has been saved yet.
        self.released.store(0, Relaxed);
    }
}

const _: () = assert!(fits::<SpedUp>());

// SAFETY: it fits, as the line above proves. After the exchange in `unlock`, only the address is used. The functions of `speed_up`
// allocate nothing, call only the C library's function for the time, and change no `errno`.
unsafe impl InPlace for SpedUp {
    fn with_parameter(_: u32) -> Self {
        Self {
            word: Futex::new(FREE),
            choice: AtomicU32::new(UNDECIDED),
            released: AtomicU64::new(0),
        }
    }
}
