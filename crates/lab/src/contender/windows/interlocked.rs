//! Spin locks as Windows programs write them: `InterlockedExchange` on a word, and one of four ways to wait.
//!
//! | word | meaning |
//! |---|---|
//! | 0 `FREE` | no thread holds the lock |
//! | 1 `HELD` | a thread holds it |
//!
//! A waiter checks the word with plain reads, and tries the exchange only after it saw the word free. Between two checks, it does
//! one of these:
//!
//! | name | between two checks | kernel |
//! |---|---|---|
//! | `interlocked-spin` | `YieldProcessor`: PAUSE on x86, YIELD on Arm | never entered |
//! | `spin-switchtothread` | `SwitchToThread`: to another thread that is ready on this processor | at every check |
//! | `spin-sleep0` | `Sleep(0)`: gives the rest of the time slice to any thread that is ready | at every check |
//! | `spin-sleep1` | `Sleep(1)`: until the next tick of the timer, which may be 15.6 ms away | at every check |
//!
//! `InterlockedExchange` and `YieldProcessor` are intrinsics of the compiler, and so are their counterparts here.
//! Source: `InterlockedExchange`, `YieldProcessor`, `SwitchToThread`, `Sleep`.
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange turned `FREE` into `HELD` is the holder; only the holder stores `FREE`.

use std::marker::PhantomData;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use windows_sys::Win32::System::Threading::{Sleep, SwitchToThread};

use super::super::visit::Visitor;
use super::super::{Contender, CreateError, LockOptions};
use super::windows;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Spin<Pause>>(windows(
        "interlocked-spin",
        "InterlockedExchange spin lock, YieldProcessor between looks: never enters the kernel",
    ));
    visitor.lock::<Spin<Switch>>(windows(
        "spin-switchtothread",
        "InterlockedExchange spin lock, SwitchToThread between looks",
    ));
    visitor.lock::<Spin<SleepFor<0>>>(windows(
        "spin-sleep0",
        "InterlockedExchange spin lock, Sleep(0) between looks: gives up the rest of the time slice",
    ));
    visitor.lock::<Spin<SleepFor<1>>>(windows(
        "spin-sleep1",
        "InterlockedExchange spin lock, Sleep(1) between looks: sleeps to the timer's next tick",
    ));
}

const FREE: i32 = 0;
const HELD: i32 = 1;

/// A waiter's action between two checks.
trait Between: Send + Sync + 'static {
    fn wait();
}

/// `YieldProcessor`.
enum Pause {}
/// `SwitchToThread`.
enum Switch {}
/// `Sleep`, for this many milliseconds.
enum SleepFor<const MS: u32> {}

impl Between for Pause {
    #[inline(always)]
    fn wait() {
        std::hint::spin_loop();
    }
}

impl Between for Switch {
    #[inline]
    fn wait() {
        // SAFETY: takes nothing. Its result, whether there was a thread to switch to, makes no difference here.
        unsafe { SwitchToThread() };
    }
}

impl<const MS: u32> Between for SleepFor<MS> {
    #[inline]
    fn wait() {
        // SAFETY: takes a number.
        unsafe { Sleep(MS) };
    }
}

/// The spin lock.
struct Spin<B> {
    word: AtomicI32,
    between: PhantomData<B>,
}

impl<B: Between> Spin<B> {
    #[cold]
    fn acquire_contended(&self) {
        loop {
            B::wait();
            // Relaxed: only the exchange acquires.
            if self.word.load(Relaxed) == FREE && self.word.swap(HELD, Acquire) == FREE {
                return;
            }
        }
    }
}

/// One acquisition.
struct Held<'a, B> {
    lock: &'a Spin<B>,
    /// As for every contender: the thread that locked unlocks.
    not_send: PhantomData<*const ()>,
}

impl<B> Drop for Held<'_, B> {
    #[inline(always)]
    fn drop(&mut self) {
        // Release: the thread that swaps `FREE` away sees the holder's writes (I1).
        self.lock.word.store(FREE, Release);
    }
}

impl<B: Between> Contender for Spin<B> {
    type Held<'a> = Held<'a, B>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self {
            word: AtomicI32::new(FREE),
            between: PhantomData,
        })
    }

    #[inline(always)]
    fn acquire(&self) -> Held<'_, B> {
        // Acquire: pairs with the release by the previous holder (I1).
        if self.word.swap(HELD, Acquire) == HELD {
            self.acquire_contended();
        }
        Held {
            lock: self,
            not_send: PhantomData,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    /// Number of checks by the waiters of [`Counted`].
    static LOOKS: AtomicU32 = AtomicU32::new(0);

    /// `Switch` with a counter.
    enum Counted {}

    impl Between for Counted {
        fn wait() {
            LOOKS.fetch_add(1, Relaxed);
            Switch::wait();
        }
    }

    #[test]
    fn a_free_lock_is_taken_at_the_first_look_and_a_held_one_after_more() {
        let lock = Spin::<Counted>::create(&LockOptions {
            spin: None,
            gate: None,
        })
        .unwrap();
        for _ in 0..3 {
            drop(lock.acquire());
        }
        assert_eq!(LOOKS.load(Relaxed), 0);
        let held = lock.acquire();
        std::thread::scope(|scope| {
            scope.spawn(|| drop(lock.acquire()));
            while LOOKS.load(Relaxed) < 10 {
                std::thread::yield_now();
            }
            drop(held);
        });
        assert_eq!(lock.word.load(Relaxed), FREE);
    }
}
