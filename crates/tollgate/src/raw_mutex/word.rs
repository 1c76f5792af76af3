//! The bits of the lock's first word. `tollgate` explains their meaning and order.

/// The lower half: 0 while the lock is free, otherwise the mark that its holder has left there
/// ([`super::asymmetric::own_mark`]), an odd number.
pub(super) const HOLDER: u64 = 0xffff_ffff;
/// The lower half while the lock has been handed over and not yet been taken. Only [`GRANTED`] shows this: a thread whose
/// processor the kernel does not name leaves the same number.
pub(super) const HANDED_OVER: u64 = HOLDER;

/// A release must examine the other bits, and free the lock in the same step.
pub(super) const ATTENTIVE: u64 = 1 << 32;
/// The next release wakes the heir or, if there is none, the first of the queue, which becomes the heir.
pub(super) const CALL: u64 = 1 << 33;
/// The heir has waited for as long as any thread has to: the next release hands the lock over to it.
pub(super) const DUE: u64 = 1 << 34;
/// The lock has been handed over to the heir.
pub(super) const GRANTED: u64 = 1 << 35;
/// A thread is spinning.
pub(super) const SPINNER: u64 = 1 << 36;
/// A thread is the heir.
pub(super) const HEIR: u64 = 1 << 37;
/// A thread is in the queue.
pub(super) const QUEUED: u64 = 1 << 38;
/// The heir has been woken, and has not run since.
pub(super) const COMING: u64 = 1 << 39;

/// Whether nobody holds the lock, and nobody is about to.
pub(super) const fn is_free(state: u64) -> bool {
    state & HOLDER == 0
}

/// Whether all these bits are set.
pub(super) const fn has(state: u64, bits: u64) -> bool {
    state & bits == bits
}

/// Whether one of these bits is set.
pub(super) const fn has_any(state: u64, bits: u64) -> bool {
    state & bits != 0
}
