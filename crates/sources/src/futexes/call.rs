//! The operation of a futex call.

/// What a futex call does, whichever system call was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Call {
    /// FUTEX_WAIT, FUTEX_WAIT_BITSET, futex_wait(2).
    #[default]
    Wait,
    /// FUTEX_LOCK_PI, FUTEX_LOCK_PI2.
    LockPi,
    /// FUTEX_WAIT_REQUEUE_PI.
    WaitRequeuePi,
    /// futex_waitv(2).
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
    /// Returns the call with this number in `enum call` of `bpf/futex.bpf.c`.
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
