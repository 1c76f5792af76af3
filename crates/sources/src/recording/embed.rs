//! Looks up the names in a part while the program's files are available, so that a report is the same on another machine.

use locktoll_recording::appendix::{Appendix, NewSymbol, NewVariable};
use locktoll_recording::reader::{Part, Site};

use super::part_names::{place_of, start_routines};
use super::symbols::Symbols;
use crate::elf::demangled;

/// Finds names for one part after another, and keeps what it has looked up.
#[derive(Default)]
pub struct Embedder {
    symbols: Symbols,
}

impl Embedder {
    /// Returns the functions at all call sites of `part`, including inlined ones, and the variables that hold its locks.
    ///
    /// If a file is not the one that was mapped, nothing is recorded about its places. Readers of the recording are then told so,
    /// unless the right file is found there.
    pub fn names(&mut self, part: &Part) -> Appendix {
        Appendix::new(&self.functions(part), &self.variables(part))
    }

    /// Whether names were looked for at `site`, found or not.
    fn knows(&mut self, part: &Part, site: Site) -> bool {
        let module = site.module.and_then(|index| part.modules.get(index));
        module.is_none_or(|module| self.symbols.usable(part, module))
    }

    fn functions(&mut self, part: &Part) -> Vec<NewSymbol> {
        let start_routines = start_routines(part);
        let mut found = Vec::new();
        for (index, &site) in part.sites.iter().enumerate() {
            if !self.knows(part, site) {
                continue;
            }
            let place = place_of(part, index, &start_routines);
            let frames = self.symbols.frames(part, site, &place);
            // A place without a name also has a frame, which says that there is no name to look for.
            found.extend((0..).zip(frames).map(|(depth, frame)| NewSymbol {
                site_id: site.id,
                depth,
                function: frame.function,
                file: frame.file,
                line: frame.line,
                address: frame.offset.unwrap_or(place.address),
            }));
        }
        found
    }

    fn variables(&mut self, part: &Part) -> Vec<NewVariable> {
        let mut locks: Vec<u64> = part.counts.iter().map(|count| count.lock_address).collect();
        locks.sort_unstable();
        locks.dedup();
        let mut found: Vec<NewVariable> = Vec::new();
        for lock in locks {
            let within = |it: &NewVariable| lock.wrapping_sub(it.address) < it.bytes;
            if found.last().is_some_and(within) {
                continue;
            }
            let Some((module, in_file)) = part.elf_address(lock) else {
                continue;
            };
            if let Some(variable) = self.symbols.variable(part, module, in_file) {
                found.push(NewVariable {
                    address: lock.wrapping_sub(in_file - variable.start),
                    bytes: variable.bytes,
                    name: demangled(&variable.name),
                    module_id: module.id,
                });
            }
        }
        found
    }
}
