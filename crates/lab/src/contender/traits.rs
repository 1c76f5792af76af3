//! What the measured loop needs from a lock, and how a lock is listed.

use crate::cell::{Cell, Slice};

/// What the command line can ask of a lock when it is made.
///
/// A lock that has no such knob ignores it; [`Entry::knobs`] says which it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockOptions {
    /// Spinning before parking or yielding, or what `bench --list` says of the lock, in units of
    /// [`locktoll_locks::SPIN_UNIT_NS`]; `None` is the algorithm's own default.
    pub spin: Option<u32>,
    /// Threads let through at a time by locks built on a gate; `None` is the number of usable CPUs.
    pub gate: Option<u32>,
}

/// Why a lock could not be made here.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {source}")]
pub struct CreateError {
    /// The call that failed.
    pub what: &'static str,
    /// The operating system's answer.
    pub source: std::io::Error,
}

/// A lock as the measured loop sees it.
///
/// The loop is generic over this trait and compiled once for each lock, so there is no indirect
/// call inside the timed region. Guards release when dropped.
pub trait Contender: Send + Sync + Sized + 'static {
    /// An exclusive acquisition; dropping it releases.
    type Held<'a>
    where
        Self: 'a;

    /// True when the holder may acquire again (a recursive lock). Others stand as a ladder of
    /// `depth` locks taken in order.
    const RECURSIVE: bool = false;

    /// Makes a free lock.
    fn create(options: &LockOptions) -> Result<Self, CreateError>;

    /// Acquires exclusively, waiting as the algorithm does.
    fn acquire(&self) -> Self::Held<'_>;

    /// Runs `body` with read access: shared where the lock has a shared mode, else exclusively.
    ///
    /// An optimistic lock (a sequence lock) may run `body` more than once, so it must only load
    /// from atomics and return what it found.
    #[inline]
    fn read<R>(&self, mut body: impl FnMut() -> R) -> R {
        let _held = self.acquire();
        body()
    }
}

/// Who wrote the lock, for `bench --list`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// From `locktoll-locks`.
    Ours,
    /// From a Rust crate or the standard library.
    Rust,
    /// From the C library.
    Pthread,
    /// From Windows, in the user's space as long as nobody waits.
    Windows,
    /// Enters the kernel on every operation.
    Kernel,
    /// From a C or C++ library (feature `cpp-peers`).
    Cpp,
}

/// Takes and releases a lock so many times, inside what is to happen around that.
pub type Pairs = fn(u64, &dyn Fn(&mut dyn FnMut())) -> Result<(), CreateError>;

/// One line of `bench --list`: a lock, and the measured loop compiled for it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What `--lock` takes.
    pub name: &'static str,
    /// Where it comes from.
    pub family: Family,
    /// One line: the algorithm and its source.
    pub summary: &'static str,
    /// Waits by pure spinning in a fixed order, so that one preempted waiter stalls all behind it.
    pub fifo_spinner: bool,
    /// Options it obeys: `spin`, `gate`, `shared`, `recursive`.
    pub knobs: &'static [&'static str],
    /// Bytes that its address must be a multiple of.
    pub alignment: usize,
    /// The measured loop, compiled for this lock.
    pub run: fn(&Cell) -> Result<Slice, CreateError>,
    /// So many pairs and nothing around them, compiled for this lock ([`crate::harness::pairs`]).
    pub pairs: Pairs,
}
