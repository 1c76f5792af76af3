//! Functions by the symbol tables of files: quick, whatever debug information there is.

use std::path::{Path, PathBuf};

use blazesym::symbolize::source::{Elf, Source};
use blazesym::symbolize::{CodeInfo, Input, Sym, Symbolizer};

use crate::profile::{Frame, demangled};

/// Looks names up in files.
pub struct ElfNames {
    symbolizer: Symbolizer,
    debug: bool,
}

impl ElfNames {
    /// By symbol tables alone.
    pub fn of_symbols() -> Self {
        Self::new(false)
    }

    /// By debug information, too: inlined calls, files and lines.
    pub fn of_debug_information() -> Self {
        Self::new(true)
    }

    fn new(debug: bool) -> Self {
        Self {
            // Names are demangled here, by their prefix: a C function `f` is no mangled `float`. Files are the ones that were opened
            // when they were mapped, and do not change.
            symbolizer: Symbolizer::builder()
                .enable_demangling(false)
                .enable_auto_reload(false)
                .build(),
            debug,
        }
    }

    /// The functions at the file's own `address`, innermost first, each as `bare` with its name; `None` if there is no name.
    pub fn frames(&self, file: &Path, address: u64, bare: &Frame) -> Option<Vec<Frame>> {
        let mut elf = Elf::new(PathBuf::from(file));
        elf.debug_syms = self.debug;
        let found = self
            .symbolizer
            .symbolize_single(&Source::Elf(elf), Input::VirtOffset(address))
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
