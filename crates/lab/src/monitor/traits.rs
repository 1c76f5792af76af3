//! The interface of a mutex with conditions that the loops need.

/// One of a monitor's two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    Ping,
    /// The second.
    Pong,
}

impl Side {
    /// Returns the other condition.
    pub fn other(self) -> Self {
        match self {
            Self::Ping => Self::Pong,
            Self::Pong => Self::Ping,
        }
    }

    /// Returns its index in a pair.
    pub(super) fn index(self) -> usize {
        match self {
            Self::Ping => 0,
            Self::Pong => 1,
        }
    }
}

/// A mutex with two conditions, as a program would use them.
pub trait Monitor: Send + Sync + 'static {
    /// The held mutex; dropping it releases.
    type Held<'a>
    where
        Self: 'a;

    /// Makes a free mutex, and conditions without waiters. It may be moved until its first use.
    fn new() -> Self;

    /// Acquires the mutex.
    fn enter(&self) -> Self::Held<'_>;

    /// Releases the mutex, waits for a signal, and acquires the mutex again. It may return without a signal.
    fn wait<'a>(&'a self, held: Self::Held<'a>, side: Side) -> Self::Held<'a>;

    /// Wakes one waiter, if there is one.
    fn signal(&self, side: Side);

    /// Wakes all waiters.
    fn broadcast(&self, side: Side);
}
