//! The conditions that a lock must meet to live in an object of the C library.

use locktoll_locks::{ForkLock, TimedLock};

/// The number of bytes that an object has for a lock.
pub const ROOM_BYTES: usize = 16;

/// The alignment of that room.
pub const ROOM_ALIGNMENT: usize = 8;

/// A lock that fits into an object.
///
/// # Safety
///
/// - Its size is at most [`ROOM_BYTES`], its alignment at most [`ROOM_ALIGNMENT`], and it needs no destructor: objects are
///   freed without notifying this library.
/// - After the step of `unlock` that lets another thread in, it no longer touches its room, except that it may still wake the
///   room's address (futex(2)): programs free a mutex as soon as they know that nobody else is going to lock it.
/// - None of its functions allocates, changes `errno`, or calls a function that this library replaces.
pub unsafe trait InPlace: TimedLock + ForkLock + 'static {
    /// Whether it also works in the words around its room, and so only for plain mutexes: those of any other kind have no room
    /// for it.
    const PLAIN_ONLY: bool = false;

    /// Called before the first lock is made, possibly by several threads.
    fn prepare() {}

    /// Makes a free lock with the candidate's parameter.
    fn with_parameter(parameter: u32) -> Self;
}

/// Whether `L` keeps those of the trait's promises that the compiler can check.
pub const fn fits<L>() -> bool {
    size_of::<L>() <= ROOM_BYTES
        && align_of::<L>() <= ROOM_ALIGNMENT
        && !core::mem::needs_drop::<L>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_or_needs_a_destructor_does_not_fit() {
        #[repr(align(16))]
        struct Wide(#[expect(dead_code, reason = "its size counts")] u64);
        assert!(fits::<[u64; 2]>() && fits::<u8>());
        assert!(!fits::<[u64; 3]>() && !fits::<Wide>() && !fits::<Box<u8>>());
    }
}
