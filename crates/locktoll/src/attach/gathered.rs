//! What was gathered of futex calls. Times are nanoseconds; addresses are those of the watched process.

/// What a futex call does, whichever of the system calls it came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// FUTEX_WAIT, FUTEX_WAIT_BITSET, futex_wait(2).
    Wait,
    /// FUTEX_LOCK_PI, FUTEX_LOCK_PI2.
    LockPi,
    /// FUTEX_WAIT_REQUEUE_PI.
    WaitRequeuePi,
    /// futex_waitv(2): the word is where the list of words lies.
    WaitV,
    /// FUTEX_WAKE, FUTEX_WAKE_BITSET, FUTEX_WAKE_OP, futex_wake(2).
    Wake,
    /// FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_CMP_REQUEUE_PI, futex_requeue(2).
    Requeue,
    /// FUTEX_UNLOCK_PI.
    UnlockPi,
    /// FUTEX_TRYLOCK_PI.
    TrylockPi,
}

impl Call {
    /// By its number in `enum call`.
    pub fn of(number: u32) -> Option<Self> {
        Some(match number {
            1 => Self::Wait,
            2 => Self::LockPi,
            3 => Self::WaitRequeuePi,
            4 => Self::WaitV,
            5 => Self::Wake,
            6 => Self::Requeue,
            7 => Self::UnlockPi,
            8 => Self::TrylockPi,
            _ => return None,
        })
    }
}

/// Waits for one word at one place, ended by wakes from one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// The process.
    pub process: u32,
    /// The futex word's address.
    pub word: u64,
    /// The call.
    pub call: Call,
    /// The waiter's stack, in [`Gathered::stacks`]; zero if it was not taken.
    pub stack: u32,
    /// The stack of whoever woke it; zero if not known.
    pub waker_stack: u32,
    /// Waits that ended by a wake.
    pub woken: u64,
    /// Calls that found the word changed and did not wait (EAGAIN). Not in any of the times.
    pub again: u64,
    /// Waits that ended by their deadline.
    pub timed_out: u64,
    /// Waits that ended by a signal.
    pub interrupted: u64,
    /// Calls that ended by any other error.
    pub failed: u64,
    /// All waits together.
    pub total_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// Of all waits together, from the wake-up until the call returned.
    pub runnable_ns: u64,
    /// Waits by powers of two of their length.
    pub log2: Vec<u64>,
}

/// Wakes of one word from one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Wake {
    /// The process.
    pub process: u32,
    /// The futex word's address.
    pub word: u64,
    /// The call.
    pub call: Call,
    /// The stack, taken only where somebody was woken; else zero.
    pub stack: u32,
    /// Calls.
    pub calls: u64,
    /// Of those, the ones that met nobody.
    pub empty: u64,
    /// Threads woken or moved.
    pub woken: u64,
    /// Calls that ended by an error.
    pub failed: u64,
}

/// Everything that was gathered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    /// Waits that ended.
    pub waits: Vec<Wait>,
    /// Wakes.
    pub wakes: Vec<Wake>,
    /// Stacks by their number: addresses, innermost first.
    pub stacks: std::collections::HashMap<u32, Vec<u64>>,
    /// Calls of threads for which there was no room.
    pub dropped_threads: u64,
    /// Waits for which there was no room.
    pub dropped_waits: u64,
    /// Wakes for which there was no room.
    pub dropped_wakes: u64,
}
