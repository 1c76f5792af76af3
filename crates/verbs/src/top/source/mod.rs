//! The sources of the figures: one file per source, all behind one trait.
//!
//! - `system`: `/proc`, for all users: CPU time, switches, and the calls in which threads wait.
//! - `switches`: context switches by process and cause, counted in the kernel: needs privileges.
//! - `futexes`: futex calls of every program, seen in the kernel: needs privileges.
//! - `holders`: who holds the locks of the chosen program now, for users who may trace it.
//! - `spinning`: busy waiting of the chosen program, from samples: needs privileges.
//! - `recorded`: programs that run under `locktoll record`, for users who may read their files.

mod futexes;
mod holders;
mod recorded;
mod spinning;
mod switches;
mod system;

pub use futexes::Futexes;
pub use holders::Holders;
pub use recorded::Recorded;
pub use spinning::BusyWaiting;
pub use system::SystemSource;

use std::io::Write;

use super::model::Reading;

/// A source of figures.
///
/// All sources are used from one thread, one after the other.
pub trait Source {
    /// Adds what is known at this moment.
    fn read(&mut self, reading: &mut Reading);

    /// Takes a look, several times between two readings. Must be short.
    fn look(&mut self) {}

    /// Looks into this program from now on; with `None`, at all programs.
    fn choose(&mut self, pid: Option<u32>);

    /// Writes what it knows about the chosen program's locks, in a form that `locktoll report` reads; `None` if it knows nothing.
    fn save(&mut self, _file: &mut dyn Write) -> Option<anyhow::Result<Form>> {
        None
    }
}

/// The form in which data was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A recording.
    Recording,
    /// A profile as JSON.
    Profile,
}

impl Form {
    /// Returns the ending of the names of such files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Recording => "locktoll",
            Self::Profile => "json",
        }
    }
}
