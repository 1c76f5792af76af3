//! The file: the counts, and their places in it.

use core::sync::atomic::AtomicU64;

/// The file's length.
pub const BYTES: usize = 4096;

/// What kind of object was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Object {
    /// `pthread_mutex_t`, `mtx_t`.
    Mutex,
    /// `pthread_cond_t`, `cnd_t`.
    Condition,
    /// `pthread_rwlock_t`.
    ReaderWriter,
    /// `pthread_spinlock_t`.
    Spin,
}

/// How many kinds of objects there are.
pub const OBJECTS: usize = 4;

/// Why an object was left to the C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Reason {
    /// Other processes may use it, which need not run under us.
    ProcessShared,
    /// The kernel is to free it if its holder dies, and walks the C library's own list for that.
    Robust,
    /// The kernel lends its holder the waiters' priority.
    PriorityInheriting,
    /// Its holder runs at its ceiling.
    PriorityProtected,
    /// The object has no room for this candidate.
    NoRoom,
    /// `--only` names another lock.
    NotAskedFor,
}

/// How many reasons there are.
pub const REASONS: usize = 6;

/// The file.
#[repr(C)]
#[derive(Debug)]
pub struct Tally {
    /// Processes that run under the library.
    pub processes: AtomicU64,
    /// Processes in which it could not do what it was told, and replaced nothing.
    pub failures: AtomicU64,
    /// Objects that were replaced, by [`Object`].
    pub replaced: [AtomicU64; OBJECTS],
    /// Objects that were left to the C library, by [`Object`] and [`Reason`].
    pub passed_through: [[AtomicU64; REASONS]; OBJECTS],
}

const _: () = assert!(size_of::<Tally>() <= BYTES);
