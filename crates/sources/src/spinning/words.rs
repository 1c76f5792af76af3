//! Names of words of memory.

use std::collections::HashMap;

use super::places::{Files, Place};
use crate::elf::{Variables, demangled};
use locktoll_results::profile::{SpunWord, base};

/// Variables of files, read when they are first needed.
#[derive(Default)]
pub struct Words {
    variables: HashMap<usize, Variables>,
}

impl Words {
    /// Returns the name of the word at a place, and an id that is the same in another run if it has one.
    pub fn name(&mut self, files: &Files, place: &Place) -> SpunWord {
        match place {
            Place::File { file, address } => self.in_file(files, *file, *address),
            Place::Elsewhere {
                mapping,
                offset,
                address,
                ..
            } => nameless(mapping, *offset, *address),
            Place::Nowhere { address } => SpunWord {
                name: format!("memory at {address:#x}, no longer mapped"),
                id: None,
            },
        }
    }

    fn in_file(&mut self, files: &Files, file: usize, address: u64) -> SpunWord {
        let mapped = files.get(file);
        let module = mapped.map_or_else(String::new, |it| base(&it.path));
        let variables = self.variables.entry(file).or_insert_with(|| {
            let opened = mapped.and_then(|it| it.file.as_deref());
            opened.map_or_else(Variables::default, Variables::read)
        });
        let Some(variable) = variables.find(address) else {
            let name = format!("{module}+{address:#x}");
            return SpunWord {
                id: Some(format!("word:{module}:{address:#x}")),
                name,
            };
        };
        let name = demangled(&variable.name);
        let name = match address - variable.start {
            0 => name,
            offset => format!("{name}+{offset:#x}"),
        };
        SpunWord {
            id: Some(format!("word:{module}:{name}")),
            name,
        }
    }
}

fn nameless(mapping: &str, offset: u64, address: u64) -> SpunWord {
    let name = match mapping {
        "" => format!("memory at {address:#x}"),
        "[heap]" => format!("heap memory at {address:#x}"),
        "[stack]" => format!("a stack at {address:#x}"),
        // A file or a named mapping: the place in it is the same in each process that has it.
        named => {
            let named = named.rsplit('/').next().unwrap_or(named);
            format!("{named}+{offset:#x}")
        }
    };
    SpunWord { name, id: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elsewhere(mapping: &str) -> String {
        let place = Place::Elsewhere {
            mapping: mapping.to_owned(),
            offset: 0x40,
            address: 0x7040,
            pid: 1,
        };
        Words::default().name(&Files::default(), &place).name
    }

    #[test]
    fn memory_without_a_name_has_its_address_or_its_place_in_a_mapping() {
        assert_eq!(elsewhere(""), "memory at 0x7040");
        assert_eq!(elsewhere("[heap]"), "heap memory at 0x7040");
        assert_eq!(elsewhere("/dev/shm/queue"), "queue+0x40");
        assert_eq!(elsewhere("[anon: pool]"), "[anon: pool]+0x40");
    }
}
