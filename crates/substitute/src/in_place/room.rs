//! The conditions that a lock must meet to live in an object of the C library.

use locktoll_locks::{ForkLock, TimedLock};

/// The bytes that an object has for a lock.
pub const ROOM_BYTES: usize = 16;

/// The alignment of that room.
pub const ROOM_ALIGNMENT: usize = 8;

/// A lock that fits into an object.
///
/// # Safety
///
/// - Its size is at most [`ROOM_BYTES`], its alignment at most [`ROOM_ALIGNMENT`], and it needs no destructor: objects are
///   freed without a word to us.
/// - After the step of `unlock` that lets another thread in, it touches its room no more, except that it may still wake the
///   room's address (futex(2)): programs free a mutex as soon as they know that nobody else is going to lock it.
/// - None of its functions allocates, changes `errno`, or calls a function that this library replaces.
pub unsafe trait InPlace: TimedLock + ForkLock + 'static {
    /// Whether it works in the words around its room too, and so for mutexes of the plain kind alone: those of any other kind
    /// have no room for it.
    const PLAIN_ONLY: bool = false;

    /// Called before the first lock is made, and perhaps by several threads.
    fn prepare() {}

    /// A free lock with the candidate's parameter.
    fn with_parameter(parameter: u32) -> Self;
}

/// What the compiler can see of the trait's promises.
pub const fn fits<L>() -> bool {
    size_of::<L>() <= ROOM_BYTES
        && align_of::<L>() <= ROOM_ALIGNMENT
        && !core::mem::needs_drop::<L>()
}
