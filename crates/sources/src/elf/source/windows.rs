//! The choice of a source on Windows.

use std::fs::File;
use std::path::{Path, PathBuf};

use blazesym::symbolize::Input;

use super::{Call, Symbols};

/// Where to look up names.
#[derive(Debug)]
pub struct Source(PathBuf);

impl Source {
    /// Chooses the source for `file`, which is at `path`.
    pub fn of(_file: &File, path: &Path, _debug: bool) -> Option<Self> {
        Some(Self(path.to_owned()))
    }

    /// Returns the functions at a place, innermost first.
    pub fn calls(&mut self, symbols: &Symbols, place: Input<u64>) -> Option<Vec<Call>> {
        symbols.calls(&self.0, place)
    }
}
