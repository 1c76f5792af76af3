//! The files that a program has mapped, as far as places in them were asked for. They are kept open, so that names can be looked up
//! after the program's end.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::elf::Loads;
use crate::mapped::{self, Mapping, mappings};

/// A file from which something was mapped.
#[derive(Debug)]
pub struct MappedFile {
    /// Its path, as the process sees it.
    pub path: PathBuf,
    /// The file, if it can be opened.
    pub file: Option<Rc<File>>,
    loads: Option<Loads>,
    device: String,
    inode: u64,
}

/// A place of code or data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In a file, at an address as the file numbers it.
    File {
        /// Its number.
        file: usize,
        /// The address.
        address: u64,
    },
    /// In memory that is not from a file of code.
    Elsewhere {
        /// The kernel's name or the path of the mapping; empty for memory without a name.
        mapping: String,
        /// The distance from the mapping's beginning.
        offset: u64,
        /// The address in the process.
        address: u64,
        /// The process: memory without a file is another in each.
        pid: u32,
    },
    /// In no mapping.
    Nowhere {
        /// The address in the process.
        address: u64,
    },
}

/// A file behind code.
#[derive(Clone, Debug)]
pub struct Backing {
    /// The first address of the mapping.
    pub start: u64,
    /// The first address behind it.
    pub end: u64,
    /// Where it begins in the file.
    pub offset: u64,
    /// The file.
    pub file: Rc<File>,
}

/// Mapped files of all processes.
#[derive(Debug, Default)]
pub struct Files(Vec<MappedFile>);

/// More files than this are not kept open.
const MOST_FILES: usize = 256;

impl Files {
    /// Returns a file by its number.
    pub fn get(&self, number: usize) -> Option<&MappedFile> {
        self.0.get(number)
    }

    fn number(&mut self, pid: u32, mapping: &Mapping) -> Option<usize> {
        let same = |it: &MappedFile| {
            it.inode == mapping.inode && it.device == mapping.device && it.path == mapping.path
        };
        if let Some(number) = self.0.iter().position(same) {
            return Some(number);
        }
        if self.0.len() >= MOST_FILES {
            return None;
        }
        let file = mapped::open(pid, mapping).ok().map(Rc::new);
        self.0.push(MappedFile {
            path: mapping.path.clone(),
            loads: file.as_deref().and_then(Loads::read),
            file,
            device: mapping.device.clone(),
            inode: mapping.inode,
        });
        Some(self.0.len() - 1)
    }
}

/// The mappings of one process.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// In the order of addresses. Forked processes share them until one of them maps something.
    all: Rc<Vec<Mapping>>,
}

impl Map {
    /// Reads the present mappings. Returns whether that was possible.
    pub fn read(&mut self, pid: u32) -> bool {
        match mappings(pid) {
            // A process that is about to end has none.
            Ok(all) if !all.is_empty() => {
                self.all = Rc::new(all);
                true
            }
            _ => false,
        }
    }

    /// Takes in a mapping of code that replaces what was there.
    pub fn insert(&mut self, mapping: Mapping) {
        let all = Rc::make_mut(&mut self.all);
        all.retain(|it| it.end <= mapping.start || it.start >= mapping.end);
        let at = all.partition_point(|it| it.start < mapping.start);
        all.insert(at, mapping);
    }

    /// Opens the files from which code is mapped, for a time at which the process is gone.
    pub fn backing(&self, pid: u32, files: &mut Files) -> Vec<Backing> {
        let code = self.code().filter(|it| it.is_of_file());
        code.filter_map(|it| {
            let number = files.number(pid, it)?;
            Some(Backing {
                start: it.start,
                end: it.end,
                offset: it.offset,
                file: Rc::clone(files.get(number)?.file.as_ref()?),
            })
        })
        .collect()
    }

    /// Returns the addresses at which code may be run.
    pub fn executable(&self) -> Vec<(u64, u64)> {
        self.code().map(|it| (it.start, it.end)).collect()
    }

    /// Whether the same code is at the same addresses, and there is some. Code that is of no file may be other code in each process: each
    /// generates its own.
    pub fn has_code_of(&self, other: &Map) -> bool {
        let of_kernel = [Path::new("[vdso]"), Path::new("[vsyscall]")];
        let mut own = self.code().peekable();
        own.peek().is_some()
            && own.all(|it| it.is_of_file() || of_kernel.contains(&it.path.as_path()))
            && self.code().eq(other.code())
    }

    fn code(&self) -> impl Iterator<Item = &Mapping> {
        self.all.iter().filter(|it| it.executable)
    }

    /// Returns the addresses of the kernel's page of code.
    pub fn vdso(&self) -> Option<(u64, u64)> {
        let found = self.all.iter().find(|it| it.path == Path::new("[vdso]"));
        found.map(|it| (it.start, it.end))
    }

    /// Returns the mapping around an address.
    pub fn around(&self, address: u64) -> Option<&Mapping> {
        let after = self.all.partition_point(|it| it.start <= address);
        let last = self.all[..after].last()?;
        (address < last.end).then_some(last)
    }

    /// Returns the place at `address`. That includes the zeroed memory behind a file's data.
    pub fn place(&self, pid: u32, files: &mut Files, address: u64) -> Place {
        let Some(around) = self.around(address) else {
            return self.in_data(pid, files, address);
        };
        let after = self.all.partition_point(|it| it.start <= address);
        let before = &self.all[..after];
        let own = match around.is_of_file() {
            true => Some(around),
            // Zeroed memory behind a file has no file of its own.
            false if around.path.as_os_str().is_empty() => {
                before.iter().rev().find(|it| it.is_of_file())
            }
            false => None,
        };
        // A loaded file has one bias, which its code tells best: parts of its data may share a page of it.
        let code = |own: &Mapping| {
            let mut code = before.iter().rev().filter(|it| it.executable);
            code.find(|it| it.is_of_same_file(own))
        };
        if let Some(own) = own
            && let Some(place) = in_file(pid, files, code(own).unwrap_or(own), address)
        {
            return place;
        }
        Place::Elsewhere {
            mapping: name(&around.path),
            offset: address - around.start,
            address,
            pid,
        }
    }
}

impl Map {
    /// Returns the place of an address whose mapping is not known, since only the mappings of code were seen: data of a file lie at
    /// a fixed distance from its code.
    fn in_data(&self, pid: u32, files: &mut Files, address: u64) -> Place {
        let mut mapped = self.all.iter().filter(|it| it.is_of_file());
        mapped
            .find_map(|mapping| in_file(pid, files, mapping, address))
            .unwrap_or(Place::Nowhere { address })
    }
}

fn in_file(pid: u32, files: &mut Files, mapping: &Mapping, address: u64) -> Option<Place> {
    let number = files.number(pid, mapping)?;
    let loads = files.get(number)?.loads.as_ref()?;
    let bias = loads.bias(mapping.start, mapping.offset, mapping.executable)?;
    let own = address.wrapping_sub(bias);
    loads.holds(own).then_some(Place::File {
        file: number,
        address: own,
    })
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::small;

    #[test]
    fn generated_code_at_one_address_is_not_the_same() {
        let map = |lines: &str| Map {
            all: Rc::new(Mapping::all(lines.as_bytes())),
        };
        let of_files = "1000-2000 r-xp 00001000 08:02 77  /program\n\
                        2000-3000 rw-p 00000000 00:00 0 \n\
                        7000-8000 r-xp 00000000 00:00 0  [vdso]\n\
                        9000-a000 --xp 00000000 00:00 0  [vsyscall]\n";
        assert!(map(of_files).has_code_of(&map(of_files)));
        let generated = format!("{of_files}b000-c000 rwxp 00000000 00:00 0 \n");
        assert!(!map(&generated).has_code_of(&map(&generated)));
        assert!(!map(of_files).has_code_of(&map(&generated)));
        assert!(!map("").has_code_of(&map("")));
    }

    #[test]
    fn data_of_a_small_file_lie_where_its_code_says() {
        let base = 0x7000_0000;
        let all = small::mappings(base);
        let file = small::file();
        let mut files = Files(vec![MappedFile {
            path: all[0].path.clone(),
            loads: Loads::read(&file),
            file: Some(Rc::new(file)),
            device: all[0].device.clone(),
            inode: all[0].inode,
        }]);
        let map = Map { all: Rc::new(all) };
        let place = map.place(1, &mut files, base + small::VARIABLE);
        let expected = Place::File {
            file: 0,
            address: small::VARIABLE,
        };
        assert_eq!(place, expected);
    }
}
