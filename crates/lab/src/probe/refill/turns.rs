//! Two threads, or two processes, take turns on one CPU: a futex word says whose turn it is.
//!
//! futex(2) without FUTEX_PRIVATE_FLAG, since the word may be shared by two processes. No thread spins or yields, so a hand-over
//! is one context switch, made by the thread that hands over: either it goes to sleep, or the thread just woken takes the CPU at
//! once.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::time::{Duration, Instant};

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(in crate::probe) enum Turn {
    /// The timed side's: the value of a new, zeroed word.
    Timed = 0,
    /// The other side's.
    Other = 1,
    /// Nobody's: the turns are over.
    Over = 2,
}

/// Hands the turn over to `to`.
pub(in crate::probe) fn hand_over(word: &AtomicU32, to: Turn) {
    // Release: the other side sees what was done before its turn.
    word.store(to as u32, Release);
    // SAFETY: FUTEX_WAKE uses only the address; a wake-up that nobody waits for does nothing.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, 1) };
}

/// Sleeps until the turn is `mine`. Returns false when the turns are over, or if the turn is not `mine` within `limit`.
pub(in crate::probe) fn await_turn(word: &AtomicU32, mine: Turn, limit: Duration) -> bool {
    let waiting_since = Instant::now();
    loop {
        // Acquire: pairs with the Release in `hand_over`.
        let seen = word.load(Acquire);
        if seen == mine as u32 {
            return true;
        }
        if seen == Turn::Over as u32 || waiting_since.elapsed() > limit {
            return false;
        }
        let timeout = libc::timespec {
            tv_sec: limit.as_secs() as _,
            tv_nsec: libc::c_long::from(limit.subsec_nanos() as i32),
        };
        // SAFETY: the word and the time limit live until the call returns; the kernel writes to neither.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                word.as_ptr(),
                libc::FUTEX_WAIT,
                seen,
                &raw const timeout,
            )
        };
    }
}

/// Ends the other side, whatever it is doing.
pub(in crate::probe) fn end(word: &AtomicU32) {
    hand_over(word, Turn::Over);
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(30);

    #[test]
    fn turns_alternate_until_they_end() {
        let word = AtomicU32::new(0);
        let mut mine = 0;
        let others = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                let mut others = 0;
                while await_turn(&word, Turn::Other, LONG) {
                    others += 1;
                    hand_over(&word, Turn::Timed);
                }
                others
            });
            for _ in 0..50 {
                hand_over(&word, Turn::Other);
                assert!(await_turn(&word, Turn::Timed, LONG));
                mine += 1;
            }
            end(&word);
            other.join().unwrap()
        });
        assert_eq!((mine, others), (50, 50));
        assert!(!await_turn(&word, Turn::Timed, LONG), "it is over at once");
    }

    #[test]
    fn waiting_has_a_limit() {
        let word = AtomicU32::new(0);
        assert!(!await_turn(&word, Turn::Other, Duration::from_millis(5)));
    }
}
