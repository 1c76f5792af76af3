//! The textbook mutex over `WaitOnAddress` and `WakeByAddressSingle`: three states, no spinning.
//!
//! | word | meaning |
//! |---|---|
//! | 0 `FREE` | no thread holds the lock |
//! | 1 `HELD` | held, and no thread has slept since it was acquired |
//! | 2 `AWAITED` | held, and a thread may sleep |
//!
//! The protocol is Drepper's second mutex ("Futexes Are Tricky", 2004). `futex3` of `locktoll-locks` adds spinning, and sleeps as
//! that crate does on every system; this one is plain, and uses Windows' own calls. A free lock is taken and released without the
//! kernel; `WaitOnAddress` enters it to sleep, `WakeByAddressSingle` to wake. Source: `WaitOnAddress`, `WakeByAddressSingle`.
//!
//! # Invariants
//!
//! - **A1** The thread whose exchange replaced `FREE` is the holder; only the holder stores `FREE`.
//! - **A2** A sleeper has stored `AWAITED` after the holder's acquisition, or found it there, and the word was `AWAITED` when the
//!   thread fell asleep (`WaitOnAddress` compares). So the release that ends the wait finds `AWAITED` and wakes.
//! - **A3** A thread that was asleep takes the lock as `AWAITED`: others may still sleep, and its release wakes the next.

use std::marker::PhantomData;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use windows_sys::Win32::System::Threading::{INFINITE, WaitOnAddress, WakeByAddressSingle};

use super::super::visit::Visitor;
use super::super::{Contender, CreateError, LockOptions};
use super::windows;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<AddressMutex>(windows(
        "wait-on-address",
        "three-state mutex over WaitOnAddress and WakeByAddressSingle, sleeps at once: futex3:0 in Windows' own calls",
    ));
}

const FREE: u32 = 0;
const HELD: u32 = 1;
const AWAITED: u32 = 2;

/// The mutex: one word.
struct AddressMutex {
    word: AtomicU32,
}

impl AddressMutex {
    #[cold]
    fn acquire_awaited(&self) {
        // Acquire: pairs with the release by the thread that stored `FREE` (A1). A3 is why it stays `AWAITED`.
        while self.word.swap(AWAITED, Acquire) != FREE {
            // SAFETY: both words are four bytes that outlive the call; WaitOnAddress only reads them.
            unsafe {
                WaitOnAddress(
                    self.word.as_ptr().cast(),
                    std::ptr::from_ref(&AWAITED).cast(),
                    size_of::<u32>(),
                    INFINITE,
                );
            }
            // It may return for no reason; the exchange decides.
        }
    }

    #[inline(always)]
    fn release(&self) {
        // Release: the next thread that takes the lock sees the holder's writes.
        if self.word.swap(FREE, Release) == AWAITED {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        // SAFETY: the address is only compared with the addresses that threads wait on; nothing is read there.
        unsafe { WakeByAddressSingle(self.word.as_ptr().cast()) }
    }
}

/// One acquisition.
struct Held<'a> {
    mutex: &'a AddressMutex,
    /// As for every contender: the thread that locked unlocks.
    not_send: PhantomData<*const ()>,
}

impl Drop for Held<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.mutex.release();
    }
}

impl Contender for AddressMutex {
    type Held<'a> = Held<'a>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self {
            word: AtomicU32::new(FREE),
        })
    }

    #[inline(always)]
    fn acquire(&self) -> Held<'_> {
        // Acquire as above; relaxed on failure, since nothing is read on the strength of that.
        if self
            .word
            .compare_exchange(FREE, HELD, Acquire, Relaxed)
            .is_err()
        {
            self.acquire_awaited();
        }
        Held {
            mutex: self,
            not_send: PhantomData,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_says_whether_a_release_has_to_wake() {
        let mutex = AddressMutex::create(&LockOptions {
            spin: None,
            gate: None,
        })
        .unwrap();
        let word = || mutex.word.load(Relaxed);
        let held = mutex.acquire();
        assert_eq!(word(), HELD);
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| {
                let held = mutex.acquire();
                let seen = word();
                drop(held);
                seen
            });
            while word() != AWAITED {
                std::thread::yield_now();
            }
            drop(held);
            assert_eq!(waiter.join().unwrap(), AWAITED, "others may sleep still");
        });
        assert_eq!(word(), FREE);
    }
}
