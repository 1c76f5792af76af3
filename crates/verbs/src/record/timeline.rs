//! The flags of the timeline.

use crate::arguments::parse_size;
use locktoll_recording::layout::Keeps;

/// The least and the most room for the events of a process.
const LEAST_BYTES: u64 = 1 << 20;
const MOST_BYTES: u64 = 16 << 30;

/// The events that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Of {
    /// Waits, and the holds that caused them.
    Waits,
    /// All holds too.
    Everything,
}

impl Of {
    /// Returns the word of the recording.
    pub fn keeps(self) -> Keeps {
        match self {
            Self::Waits => Keeps::Waits,
            Self::Everything => Keeps::Everything,
        }
    }
}

/// Reads the value of `--timeline`.
///
/// # Errors
/// What is accepted.
pub fn parse_room(text: &str) -> Result<u64, String> {
    parse_size(text, LEAST_BYTES, MOST_BYTES)
}
