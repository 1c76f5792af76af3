//! A thread's last wait, while the thread holds the lock that it waited for.
//!
//! A saturated lock is held all the time: each instruction of this library between the end of a wait and the release makes
//! every waiter wait longer. So the figures that take longer to enter are kept back, and entered after the release, when the
//! thread waits again, or at its end. If the process ends before that, or is killed, the waits are still counted with their
//! times, and at most one wait per thread lacks its cause.
//!
//! # Invariants
//!
//! - **K1** The place is written and read only while its state is [`MOVING`], and only by its thread. A signal handler that
//!   interrupts this finds neither an empty place nor a wait.

use core::cell::{Cell, UnsafeCell};
use core::mem::MaybeUninit;
use core::sync::atomic::Ordering::SeqCst;
use core::sync::atomic::compiler_fence;

use super::over::Waited;

const EMPTY: u8 = 0;
const MOVING: u8 = 1;
const FULL: u8 = 2;

/// A place for one wait. All zeros means it is empty.
pub struct KeptBack {
    state: Cell<u8>,
    wait: UnsafeCell<MaybeUninit<Waited>>,
}

impl KeptBack {
    #[inline]
    pub fn is_full(&self) -> bool {
        self.state.get() == FULL
    }

    /// Keeps `wait`. Returns `false` if there is no room.
    pub fn put(&self, wait: Waited) -> bool {
        if self.state.get() != EMPTY {
            return false;
        }
        self.moving(FULL, || {
            // SAFETY: K1.
            unsafe { (*self.wait.get()).write(wait) };
        });
        true
    }

    /// Takes the wait out. With `Some(lock)`, only a wait for that lock is taken.
    pub fn take(&self, lock: Option<usize>) -> Option<Waited> {
        if !self.is_full() {
            return None;
        }
        // SAFETY: K1: full, so it was written.
        let wait = self.moving(FULL, || unsafe { (*self.wait.get()).assume_init() });
        if lock.is_some_and(|lock| lock != wait.key.lock) {
            return None;
        }
        self.state.set(EMPTY);
        Some(wait)
    }

    fn moving<T>(&self, afterwards: u8, r#move: impl FnOnce() -> T) -> T {
        self.state.set(MOVING);
        compiler_fence(SeqCst);
        let moved = r#move();
        compiler_fence(SeqCst);
        self.state.set(afterwards);
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_one_which_is_taken_once() {
        // SAFETY: zeros are an empty place.
        let kept: KeptBack = unsafe { core::mem::zeroed() };
        assert!(kept.take(None).is_none() && kept.put(Waited::made_up(7)));
        assert!(!kept.put(Waited::made_up(8)) && kept.take(Some(8)).is_none());
        assert!(kept.is_full(), "it was for another lock");
        assert_eq!(kept.take(Some(7)).map(|it| it.key.lock), Some(7));
        assert!(!kept.is_full() && kept.take(None).is_none());
    }

    #[test]
    fn a_handler_that_comes_meanwhile_finds_nothing_and_keeps_nothing() {
        // SAFETY: zeros are an empty place.
        let kept: KeptBack = unsafe { core::mem::zeroed() };
        kept.moving(FULL, || {
            assert!(!kept.is_full() && kept.take(None).is_none() && !kept.put(Waited::made_up(7)));
        });
        assert!(kept.is_full());
    }
}
