//! Functions at addresses of files: by symbol tables alone, which is quick, or also by debug information.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use blazesym::symbolize::Input;

use super::source::{Call, Source, Symbols};
use locktoll_results::profile::Frame;

/// Looks names up in files.
pub struct Functions {
    symbols: Symbols,
    debug: bool,
    /// Sources by the files' numbers; `None` for a file that does not contain code.
    sources: RefCell<HashMap<Number, Option<Source>>>,
}

/// Distinguishes a file that is held open from others.
type Number = (u64, u64);

impl Functions {
    /// Looks names up in symbol tables alone.
    #[cfg(target_os = "linux")]
    pub fn of_symbols() -> Self {
        Self::new(false)
    }

    /// Looks names up in debug information, too: inlined calls, files and lines.
    pub fn of_debug_information() -> Self {
        Self::new(true)
    }

    fn new(debug: bool) -> Self {
        Self {
            symbols: Symbols::new(debug),
            debug,
            sources: RefCell::default(),
        }
    }

    /// Returns the functions at a place in a file, innermost first, each as `bare` with its name; `None` if there is no name.
    /// `file` is or was at `path`, and is held open as long as this value lives.
    pub fn frames(
        &self,
        file: &File,
        path: &Path,
        place: Input<u64>,
        bare: &Frame,
    ) -> Option<Vec<Frame>> {
        let mut sources = self.sources.borrow_mut();
        let source = sources
            .entry(number(file, path))
            .or_insert_with(|| Source::of(file, path, self.debug));
        let calls = source.as_mut()?.calls(&self.symbols, place)?;
        let frame = |call: Call| Frame {
            function: Some(call.function),
            file: call.file,
            line: call.line,
            ..bare.clone()
        };
        Some(calls.into_iter().map(frame).collect())
    }
}

#[cfg(target_os = "linux")]
fn number(file: &File, _path: &Path) -> Number {
    use std::os::unix::fs::MetadataExt;
    file.metadata()
        .map_or((0, 0), |found| (found.dev(), found.ino()))
}

/// Computes the number from the path: files there have no numbers that all file systems know.
#[cfg(windows)]
fn number(_file: &File, path: &Path) -> Number {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    (0, hasher.finish())
}
