//! Whether a wait is for a lock, judged only by the call and the word.
//!
//! To be certain, one would have to look up the functions that led to each wait, in every program of the machine. Instead, this
//! uses the value that the waiter expected in the word, since locks store there that a thread waits. Mutexes of glibc, of Rust's
//! standard library and of most others that follow U. Drepper, "Futexes Are Tricky" (2004), wait while the word is 2; glibc's
//! reader-writer locks wait while it is 3 or, for writers, while another word says that a writer waits. Conditions, semaphores,
//! barriers and parked threads wait while it is 0 or a count.

use locktoll_sources::futexes::Call;

/// Values at which threads wait for locks.
const OF_LOCKS: [u32; 2] = [2, 3];

/// Whether it looks like a wait for a lock. `owned`: a thread was seen to own the lock.
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
