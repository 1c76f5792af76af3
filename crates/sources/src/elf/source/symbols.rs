//! Names as that library finds them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use blazesym::symbolize::source::{Elf, Source};
use blazesym::symbolize::{CodeInfo, Input, Sym, Symbolizer};
use serde::{Deserialize, Serialize};

use crate::elf::demangled;

/// A function at a place, called or inlined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Its name.
    pub function: String,
    /// Its source file.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
}

/// Reads files, and keeps what it has read.
#[derive(Debug)]
pub struct Symbols {
    symbolizer: Symbolizer,
    debug: bool,
}

impl Symbols {
    /// Reads symbol tables alone or, with `debug`, debug information, too.
    pub fn new(debug: bool) -> Self {
        Self {
            symbolizer: Symbolizer::builder()
                // Names are demangled here, by their prefix: a C function `f` is not a mangled `float`.
                .enable_demangling(false)
                // The file that a path led to is held open.
                .enable_auto_reload(false)
                .build(),
            debug,
        }
    }

    /// Returns the functions at a place in a file, innermost first; `None` if there is no name.
    pub fn calls(&self, file: &Path, place: Input<u64>) -> Option<Vec<Call>> {
        let mut elf = Elf::new(file);
        elf.debug_syms = self.debug;
        let source = Source::Elf(elf);
        // A file that was forged to be misread may make the reader panic. Then nothing of that reader is used but its earlier
        // results.
        let found = catch_unwind(AssertUnwindSafe(|| {
            let found = self.symbolizer.symbolize_single(&source, place).ok()?;
            found.into_sym().map(|symbol| calls_of(&symbol))
        }));
        found.ok().flatten()
    }
}

fn calls_of(symbol: &Sym<'_>) -> Vec<Call> {
    let call = |function: &str, code: Option<&CodeInfo<'_>>| Call {
        function: demangled(function),
        file: code.map(|code| code.to_path().to_string_lossy().into_owned()),
        line: code.and_then(|code| code.line),
    };
    // The symbol is the outermost function; its line is that of the outermost inlined call.
    let inlined = symbol.inlined.iter();
    let inlined = inlined.map(|it| call(&it.name, it.code_info.as_ref()));
    let mut calls: Vec<Call> = std::iter::once(call(&symbol.name, symbol.code_info.as_deref()))
        .chain(inlined)
        .collect();
    calls.reverse();
    calls
}
