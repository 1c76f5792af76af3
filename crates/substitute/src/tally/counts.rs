//! The file's layout: the counts and their places.

use core::sync::atomic::AtomicU64;

/// The file's length.
pub const BYTES: usize = 4096;

/// The kind of an object.
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

/// The number of kinds of objects.
pub const OBJECTS: usize = 4;

/// The reason why an object was left to the C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Reason {
    /// Other processes may use it, and they need not run with this library.
    ProcessShared,
    /// The kernel is to free it if its holder dies, and walks the C library's own list to do so.
    Robust,
    /// The kernel lends its holder the waiters' priority.
    PriorityInheriting,
    /// Its holder runs at the mutex's priority ceiling.
    PriorityProtected,
    /// The object has no room for this candidate.
    NoRoom,
    /// `--only` names another lock.
    NotAskedFor,
}

/// The number of reasons.
pub const REASONS: usize = 6;

/// The file.
#[repr(C)]
#[derive(Debug)]
pub struct Tally {
    /// Processes that run with the library.
    pub processes: AtomicU64,
    /// Processes in which it could not do what it was asked to, and replaced nothing.
    pub failures: AtomicU64,
    /// Objects that were replaced, by [`Object`].
    pub replaced: [AtomicU64; OBJECTS],
    /// Objects that were left to the C library, by [`Object`] and [`Reason`].
    pub passed_through: [[AtomicU64; REASONS]; OBJECTS],
    /// How often a process had a real-time policy when the library started, or was about to give one to a thread.
    pub real_time: AtomicU64,
    /// Threads that have held a mutex of a candidate with `+slice`: those with the time slice extension, and those without.
    pub slice_extension_threads: [AtomicU64; 2],
    /// How often a thread gave the processor back after the kernel had granted it an extension.
    pub slice_extensions: AtomicU64,
    /// The time that sped-up holds have saved, in nanoseconds: by so much every other running thread was delayed.
    pub saved_ns: AtomicU64,
    /// Processes in which holds have saved time.
    pub saving_processes: AtomicU64,
}

const _: () = assert!(size_of::<Tally>() <= BYTES);
