//! Names of static locks: the variables in a file's symbol table.

use std::fs::File;

use object::read::elf::ElfFile64;
use object::read::{Object, ObjectSymbol, SymbolKind};

use crate::bounded::Bounded;

/// The limit for reading a file. A symbol table has some tens of megabytes at most.
const MOST_BYTES: u64 = 1 << 30;

/// The variables of one file, by address.
#[derive(Debug, Default)]
pub struct Variables(Vec<Variable>);

/// One variable.
#[derive(Debug)]
pub struct Variable {
    /// Its address, as the file numbers it.
    pub start: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its name, as the linker has it.
    pub name: String,
}

impl Variables {
    /// Reads the symbol table, or the dynamic one where that was stripped. A file without either
    /// has no variables.
    pub fn read(file: &File) -> Self {
        let data = &Bounded::new(file, MOST_BYTES);
        let Ok(elf) = ElfFile64::<object::Endianness, _>::parse(data) else {
            return Self::default();
        };
        let variable = |symbol: object::read::elf::ElfSymbol64<'_, '_, _, _>| {
            let data = matches!(symbol.kind(), SymbolKind::Data | SymbolKind::Tls);
            (data && symbol.size() > 0 && symbol.is_definition()).then(|| Variable {
                start: symbol.address(),
                bytes: symbol.size(),
                name: symbol.name().unwrap_or_default().to_owned(),
            })
        };
        let mut variables: Vec<Variable> = elf.symbols().filter_map(variable).collect();
        if variables.is_empty() {
            variables = elf.dynamic_symbols().filter_map(variable).collect();
        }
        variables.sort_by(|a, b| (a.start, &a.name).cmp(&(b.start, &b.name)));
        Self(variables)
    }

    /// Returns the variable in which `address` lies.
    pub fn find(&self, address: u64) -> Option<&Variable> {
        let after = self.0.partition_point(|variable| variable.start <= address);
        let variable = self.0[..after].last()?;
        (address - variable.start < variable.bytes).then_some(variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(list: &[(u64, u64, &str)]) -> Variables {
        Variables(
            list.iter()
                .map(|&(start, bytes, name)| Variable {
                    start,
                    bytes,
                    name: name.to_owned(),
                })
                .collect(),
        )
    }

    #[test]
    fn an_address_belongs_to_the_variable_around_it() {
        let table = variables(&[(0x100, 0x28, "a"), (0x200, 0x80, "table")]);
        let found = |address| table.find(address).map(|variable| variable.name.as_str());
        assert_eq!(found(0x100), Some("a"));
        assert_eq!(found(0x127), Some("a"));
        assert_eq!(found(0x128), None);
        assert_eq!(found(0x250), Some("table"));
        assert_eq!(found(0xff), None);
    }

    #[test]
    fn a_file_that_is_not_elf_has_no_variables() {
        let file = File::open("/proc/self/status").unwrap();
        assert!(Variables::read(&file).0.is_empty());
    }
}
