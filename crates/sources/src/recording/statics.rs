//! Locks in the data of mapped files, and the variables that contain them.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use locktoll_recording::reader::{Part, Variable};

use super::symbols::Symbols;
use crate::elf::demangled;

/// The number of a variable among all variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariableId(u32);

/// The number of a file among all files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId(u32);

/// Variables and files that hold locks, over all processes.
#[derive(Default)]
pub struct Statics {
    variable_ids: HashMap<(FileId, u64), VariableId>,
    variables: Vec<KnownVariable>,
    file_ids: HashMap<PathBuf, FileId>,
    files: Vec<PathBuf>,
}

/// A variable that holds locks.
pub struct KnownVariable {
    /// Its name, demangled.
    pub name: String,
    /// The file that contains it.
    pub file: FileId,
    /// Its size.
    pub bytes: u64,
}

/// Where a lock lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// In a variable, at this offset.
    Variable(VariableId, u64),
    /// In a file's data, but in no variable that has a symbol: at this address, as the file numbers its addresses.
    Unnamed(FileId, u64),
    /// In allocated memory or on a stack.
    Elsewhere,
}

impl Statics {
    /// Returns the variable with this number.
    pub fn variable(&self, id: VariableId) -> &KnownVariable {
        &self.variables[id.0 as usize]
    }

    /// Returns the file with this number.
    pub fn file(&self, id: FileId) -> &Path {
        &self.files[id.0 as usize]
    }

    fn file_id(&mut self, path: &Path) -> FileId {
        if let Some(&id) = self.file_ids.get(path) {
            return id;
        }
        let id = FileId(u32::try_from(self.files.len()).expect("files have 32-bit numbers"));
        self.files.push(path.to_owned());
        self.file_ids.insert(path.to_owned(), id);
        id
    }

    /// Returns the number of the variable that begins at `start` in `file` and is `bytes` long.
    fn variable_id(
        &mut self,
        file: FileId,
        (start, bytes): (u64, u64),
        name: impl FnOnce() -> String,
    ) -> VariableId {
        let variables = &mut self.variables;
        *self.variable_ids.entry((file, start)).or_insert_with(|| {
            let name = name();
            variables.push(KnownVariable { name, file, bytes });
            VariableId(u32::try_from(variables.len() - 1).expect("variables have 32-bit numbers"))
        })
    }
}

/// Finds the variables of one part.
pub struct Finder<'p> {
    part: &'p Part,
    /// Variables embedded in the recording, by address; `None` if no names were embedded.
    embedded: Option<Vec<&'p Variable>>,
    /// The latest variable and its addresses: locks are looked up in the order of their addresses.
    last: Option<(Range<u64>, VariableId)>,
}

impl<'p> Finder<'p> {
    /// Prepares for the locks of `part`.
    pub fn new(part: &'p Part) -> Self {
        let named = !part.symbols.is_empty() || !part.variables.is_empty();
        let embedded = named.then(|| {
            let mut variables: Vec<&Variable> = part.variables.iter().collect();
            variables.sort_by_key(|variable| variable.address);
            variables
        });
        Self {
            part,
            embedded,
            last: None,
        }
    }

    /// Returns where the lock at `address` lies.
    pub fn find(&mut self, address: u64, statics: &mut Statics, symbols: &mut Symbols) -> Spot {
        if let Some((range, id)) = &self.last
            && range.contains(&address)
        {
            return Spot::Variable(*id, address - range.start);
        }
        let Some((module, in_file)) = self.part.elf_address(address) else {
            return Spot::Elsewhere;
        };
        let file = statics.file_id(&module.path);
        let found = match &self.embedded {
            Some(variables) => {
                let after = variables.partition_point(|variable| variable.address <= address);
                let variable = variables[..after].last();
                variable
                    .map(|variable| {
                        (
                            address - variable.address,
                            variable.bytes,
                            variable.name.clone(),
                        )
                    })
                    .filter(|&(offset, bytes, _)| offset < bytes)
            }
            None => symbols
                .variable(self.part, module, in_file)
                .map(|variable| {
                    (
                        in_file - variable.start,
                        variable.bytes,
                        demangled(&variable.name),
                    )
                }),
        };
        let Some((offset, bytes, name)) = found else {
            return Spot::Unnamed(file, in_file);
        };
        let lies = (in_file.wrapping_sub(offset), bytes);
        let id = statics.variable_id(file, lies, || name);
        // In a damaged recording, it may begin below zero.
        let start = address.wrapping_sub(offset);
        self.last = Some((start..start.saturating_add(bytes), id));
        Spot::Variable(id, offset)
    }
}
