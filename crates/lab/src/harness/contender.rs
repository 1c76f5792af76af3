//! The interface of a lock that the measured loop needs.

use crate::cell::Cell;
use crate::lock_names::number_of;

/// The options for making a lock.
///
/// A lock without such a knob ignores it; [`Entry::knobs`](crate::contender::Entry::knobs) lists the knobs that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockOptions {
    /// Spinning before parking or yielding, or the meaning that `bench --list` gives for the lock, in units of
    /// [`locktoll_locks::SPIN_UNIT_NS`]; `None` is the algorithm's own default.
    pub spin: Option<u32>,
    /// Threads admitted at a time by locks built on a gate; `None` means the number of usable CPUs.
    pub gate: Option<u32>,
}

impl LockOptions {
    /// Returns the options that a cell requests. A number in the lock's name takes precedence over the knobs: a lock with a
    /// number uses it for the one knob that it obeys.
    pub fn of(cell: &Cell) -> Self {
        let number = number_of(&cell.lock);
        Self {
            spin: number.or(cell.spin),
            gate: number.or(cell.gate),
        }
    }

    /// Returns the options for a lock with this number, or with its default.
    pub fn with_number(number: Option<u32>) -> Self {
        Self {
            spin: number,
            gate: number,
        }
    }
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

/// A lock as the measured loop uses it.
///
/// The loop is generic over this trait and compiled once for each lock, so there is no indirect call inside the timed region.
/// Guards release the lock when dropped.
pub trait Contender: Send + Sync + Sized + 'static {
    /// An exclusive acquisition; dropping it releases.
    type Held<'a>
    where
        Self: 'a;

    /// True if the holder may acquire again (a recursive lock). For other locks, a ladder of `depth` locks is taken in order.
    const RECURSIVE: bool = false;

    /// Makes a free lock.
    fn create(options: &LockOptions) -> Result<Self, CreateError>;

    /// Acquires exclusively, and waits as the algorithm does.
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
