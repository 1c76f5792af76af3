//! A change of a lock's holds.

use std::fmt;

use locktoll_results::whatif::Method;

/// In which direction holds are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Holds are lengthened.
    Slow,
    /// Holds are sped up, by delaying all other threads.
    Fast,
}

impl Direction {
    /// Returns what the library that replaces locks is asked for.
    pub fn candidate(self, percent: u32) -> String {
        match self {
            Self::Slow => format!("lengthen:{percent}"),
            Self::Fast => format!("speed-up:{percent}"),
        }
    }

    /// Returns the method's name in the result.
    pub fn method(self) -> Method {
        match self {
            Self::Slow => Method::Slow,
            Self::Fast => Method::Fast,
        }
    }
}

/// A change by a percentage; 0 is none, under the same library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Longer or shorter.
    pub direction: Direction,
    /// By how much.
    pub percent: u32,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.direction {
            Direction::Slow => '+',
            Direction::Fast => '-',
        };
        write!(f, "{sign}{}%", self.percent)
    }
}
