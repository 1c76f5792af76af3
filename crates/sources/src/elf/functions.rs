//! Functions at addresses of files: by symbol tables alone, which is quick, or by debug information, too.

use std::path::{Path, PathBuf};

use blazesym::symbolize::source::{Elf, Source};
use blazesym::symbolize::{CodeInfo, Input, Sym, Symbolizer};

use super::demangled;
use locktoll_results::profile::Frame;

/// Looks names up in files.
pub struct Functions {
    symbolizer: Symbolizer,
    debug: bool,
}

impl Functions {
    /// By symbol tables alone, of files that are held open and do not change.
    #[cfg(target_os = "linux")]
    pub fn of_symbols() -> Self {
        Self::new(false, false)
    }

    /// By debug information, too: inlined calls, files and lines.
    #[cfg(target_os = "linux")]
    pub fn of_debug_information() -> Self {
        Self::new(true, false)
    }

    /// The same, of files that may be replaced meanwhile.
    pub fn of_files_that_may_change() -> Self {
        Self::new(true, true)
    }

    fn new(debug: bool, reload: bool) -> Self {
        Self {
            // Names are demangled here, by their prefix: a C function `f` is no mangled `float`.
            symbolizer: Symbolizer::builder()
                .enable_demangling(false)
                .enable_auto_reload(reload)
                .build(),
            debug,
        }
    }

    /// The functions at a place of a file, innermost first, each as `bare` with its name; `None` if there is no name.
    pub fn frames(&self, file: &Path, place: Input<u64>, bare: &Frame) -> Option<Vec<Frame>> {
        let mut elf = Elf::new(PathBuf::from(file));
        elf.debug_syms = self.debug;
        let found = self
            .symbolizer
            .symbolize_single(&Source::Elf(elf), place)
            .ok()?;
        found.into_sym().map(|symbol| frames_of(&symbol, bare))
    }
}

fn frames_of(symbol: &Sym<'_>, bare: &Frame) -> Vec<Frame> {
    let frame = |function: &str, code: Option<&CodeInfo<'_>>| Frame {
        function: Some(demangled(function)),
        file: code.map(|code| code.to_path().to_string_lossy().into_owned()),
        line: code.and_then(|code| code.line),
        ..bare.clone()
    };
    // The symbol is the outermost function; its line is where the outermost inlined call stands.
    let inlined = symbol.inlined.iter();
    let inlined = inlined.map(|call| frame(&call.name, call.code_info.as_ref()));
    let mut frames: Vec<Frame> = std::iter::once(frame(&symbol.name, symbol.code_info.as_deref()))
        .chain(inlined)
        .collect();
    frames.reverse();
    frames
}
