//! The properties with which a lock is listed.

use locktoll_locks::catalogue::Lock;

use super::{CreateError, LockOptions};
use crate::cell::{Cell, Slice};

/// Who wrote the lock, for `bench --list`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// From `locktoll-locks`.
    Ours,
    /// From a Rust crate or the standard library.
    Rust,
    /// From the C library.
    Pthread,
    /// From Windows, in user space while no thread waits.
    Windows,
    /// Enters the kernel on every operation.
    Kernel,
    /// From a C or C++ library (feature `cpp-peers`).
    Cpp,
}

/// Acquires and releases a lock, made by these options, the given number of times, inside the given wrapper.
pub type Pairs = fn(&LockOptions, u64, &dyn Fn(&mut dyn FnMut())) -> Result<(), CreateError>;

/// One line of `bench --list`: a lock, and the measured loop compiled for it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, including its number where it is listed with one.
    pub name: &'static str,
    /// Its row in the catalogue.
    pub lock: Lock,
    /// Where it comes from.
    pub family: Family,
    /// One line: the algorithm and its source.
    pub summary: &'static str,
    /// Waits by pure spinning in a fixed order, so that one preempted waiter stalls all those behind it.
    pub fifo_spinner: bool,
    /// Options that it obeys: `spin`, `gate`, `shared`, `recursive`.
    pub knobs: &'static [&'static str],
    /// Its address must be a multiple of this number of bytes.
    pub alignment: usize,
    /// The measured loop, compiled for this lock.
    pub run: fn(&Cell) -> Result<Slice, CreateError>,
    /// The given number of pairs with no other work, compiled for this lock ([`crate::harness::pairs`]).
    pub pairs: Pairs,
}
