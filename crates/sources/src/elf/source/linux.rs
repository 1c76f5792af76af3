//! The choice of a source on Linux.

use std::fs::File;
use std::path::{Path, PathBuf};

use blazesym::symbolize::Input;
use locktoll_terminal::system::files::open_regular;

use super::apart::Apart;
use super::copied::Copied;
use super::trusted::{is_in_trusted_hands, trusted};
use super::{Call, Symbols};
use crate::elf::build_id;

/// Where distributions keep debug information, by build id.
const SEPARATE: &str = "/usr/lib/debug/.build-id";
/// A shorter build id does not count.
const SHORTEST_ID: usize = 8;

/// Where to look up names.
#[derive(Debug)]
pub enum Source {
    /// In the file itself.
    Itself(PathBuf),
    /// In a copy of its symbol tables.
    Copy(Copied),
    /// In a copy that has its debug information, too.
    WithDebugInformation(Box<WithDebugInformation>),
}

/// Sources to be asked one after the other.
#[derive(Debug)]
pub struct WithDebugInformation {
    /// The debug information of that build that root has installed, if there is any.
    separate: Option<PathBuf>,
    /// A process without privileges, which reads the copy.
    apart: Apart,
    /// The copy. Its symbol tables are read here if that process has failed.
    copied: Copied,
    plain: Symbols,
}

impl Source {
    /// Chooses the source for `file`, which is or was at `path`, with its debug information if `debug` is set. `None` if it does
    /// not contain code.
    pub fn of(file: &File, path: &Path, debug: bool) -> Option<Self> {
        if let Some(path) = trusted(file, path) {
            return Some(Self::Itself(path));
        }
        let copied = Copied::of(file, debug)?;
        let separate = debug.then(|| separate(file)).flatten();
        if !copied.has_debug_information() && separate.is_none() {
            return Some(Self::Copy(copied));
        }
        Some(Self::WithDebugInformation(Box::new(WithDebugInformation {
            separate,
            apart: Apart::start(&copied).ok()?,
            copied,
            plain: Symbols::new(false),
        })))
    }

    /// Returns the functions at a place, innermost first.
    pub fn calls(&mut self, symbols: &Symbols, place: Input<u64>) -> Option<Vec<Call>> {
        match self {
            Self::Itself(path) => symbols.calls(path, place),
            Self::Copy(copied) => symbols.calls(&copied.path(), place),
            Self::WithDebugInformation(it) => {
                let separate = it.separate.as_ref();
                let found = separate.and_then(|path| symbols.calls(path, place));
                let found = found.or_else(|| it.apart.calls(place));
                found.or_else(|| it.plain.calls(&it.copied.path(), place))
            }
        }
    }
}

/// Returns the debug information that root has installed for this very build.
fn separate(file: &File) -> Option<PathBuf> {
    let id = build_id(file);
    if id.len() < SHORTEST_ID {
        return None;
    }
    let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let (folder, name) = hex.split_at(2);
    let path = PathBuf::from(format!("{SEPARATE}/{folder}/{name}.debug"));
    let found = open_regular(&path).ok()?;
    is_in_trusted_hands(&found).then_some(path)
}
