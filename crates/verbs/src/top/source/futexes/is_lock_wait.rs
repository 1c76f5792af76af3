//! Whether a wait is for a lock, by what is seen of the call and the word alone.
//!
//! To be sure, the calls that led to each wait would have to be named, in every program of the machine. What is seen is the value that the
//! waiter expected in the word, and locks write down there that somebody waits: mutexes of glibc, of Rust's standard library and of most
//! others after U. Drepper, "Futexes Are Tricky" (2004) wait at a 2, glibc's reader-writer locks at a 3 or, for writers, in a word that says
//! so alike. Conditions, semaphores, barriers and parked threads wait at a 0 or at a count.

use locktoll_sources::futexes::Call;

/// Values at which threads wait for locks.
const OF_LOCKS: [u32; 2] = [2, 3];

/// Whether it is like a wait for a lock. `owned`: a thread was seen to own the lock.
pub fn is_like_a_lock(call: Call, expected: Option<u32>, owned: bool) -> bool {
    match call {
        Call::LockPi => true,
        Call::WaitRequeuePi | Call::WaitV => false,
        _ => owned || expected.is_some_and(|value| OF_LOCKS.contains(&value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_waited_for_at_a_mark_or_while_somebody_owns_them() {
        assert!(is_like_a_lock(Call::Wait, Some(2), false));
        assert!(is_like_a_lock(Call::Wait, Some(0x8000_0001), true));
        assert!(is_like_a_lock(Call::LockPi, None, false));
        for count in [0, 1, 40] {
            assert!(!is_like_a_lock(Call::Wait, Some(count), false));
        }
        assert!(!is_like_a_lock(Call::Wait, None, false));
        assert!(!is_like_a_lock(Call::WaitV, Some(2), false));
    }
}
