//! The memory of a process over the time that it is watched.

use std::path::Path;

use super::Subject;
use super::files::{FileIndex, Files};
use crate::mapped::{Mapping, mappings};

/// Present and past mappings, so that files that were unloaded meanwhile still have names.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The mappings as read, the newest last. A reading that found no change is not added.
    readings: Vec<Vec<Placed>>,
}

/// A mapping and its file.
#[derive(Clone, Debug, PartialEq)]
struct Placed {
    mapping: Mapping,
    file: Option<FileIndex>,
}

/// A place in a file, at an address as the file numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InFile {
    /// Which file.
    pub file: FileIndex,
    /// The address, as the file numbers it. If the file does not contain code or is not there, the offset in it.
    pub address: u64,
}

/// Where an address lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// In a file.
    File(InFile),
    /// In the kernel's own page of code, this many bytes from its beginning.
    Vdso(u64),
    /// In memory without a file: generated code.
    Anonymous,
}

/// Mappings of a process beyond this number are not looked at: no program waits in so many of them.
const MOST_MAPPINGS: usize = 200_000;
/// The most readings that are kept, and the most mappings in all of them: a process can have others at each reading.
const MOST_READINGS: usize = 64;
const MOST_KEPT: usize = 400_000;

impl Memory {
    /// Reads the present mappings. If the process has ended, nothing changes.
    pub fn read(&mut self, subject: &Subject, files: &mut Files) {
        let Ok(mut mappings) = mappings(subject.pid) else {
            return;
        };
        mappings.truncate(MOST_MAPPINGS);
        if mappings.is_empty() || self.is_known(&mappings) {
            return;
        }
        let mut coded: std::collections::HashSet<(std::path::PathBuf, u64)> =
            std::collections::HashSet::new();
        for mapping in mappings
            .iter()
            .filter(|it| it.executable && it.is_of_file())
        {
            coded.insert((mapping.path.clone(), mapping.inode));
        }
        let placed = mappings
            .into_iter()
            .map(|mapping| {
                let key = (mapping.path.clone(), mapping.inode);
                // Files without code, such as shared memory, give no names.
                let file = coded
                    .contains(&key)
                    .then(|| files.index_of(subject, &mapping))
                    .flatten();
                Placed { mapping, file }
            })
            .collect();
        self.keep(placed);
    }

    /// Takes mappings that do not come from a running process, each with its file.
    pub fn of_mappings(
        mappings: Vec<(Mapping, Option<std::sync::Arc<std::fs::File>>)>,
        files: &mut Files,
    ) -> Self {
        let placed = mappings.into_iter().map(|(mapping, file)| {
            let file = mapping
                .is_of_file()
                .then(|| files.index_of_opened(&mapping, file))
                .flatten();
            Placed { mapping, file }
        });
        Self {
            readings: vec![placed.collect()],
        }
    }

    /// Keeps the first reading and the newest ones.
    fn keep(&mut self, reading: Vec<Placed>) {
        self.readings.push(reading);
        let kept = |readings: &[Vec<Placed>]| readings.iter().map(Vec::len).sum::<usize>();
        while self.readings.len() > MOST_READINGS
            || self.readings.len() > 2 && kept(&self.readings) > MOST_KEPT
        {
            self.readings.remove(1);
        }
    }

    fn is_known(&self, mappings: &[Mapping]) -> bool {
        let code = |it: &&Mapping| it.executable || it.is_of_file();
        self.readings.last().is_some_and(|last| {
            let last = last.iter().map(|it| &it.mapping).filter(code);
            last.eq(mappings.iter().filter(code))
        })
    }

    /// Whether the mappings were never read.
    pub fn is_empty(&self) -> bool {
        self.readings.is_empty()
    }

    /// Returns the mapping around an address, in its latest state.
    fn placed(&self, address: u64) -> Option<&Placed> {
        self.readings.iter().rev().find_map(|reading| {
            let after = reading.partition_point(|it| it.mapping.start <= address);
            let last = reading[..after].last()?;
            (address < last.mapping.end).then_some(last)
        })
    }

    /// Returns the place in which an address of code lies.
    pub fn spot(&self, files: &Files, address: u64) -> Spot {
        let Some(Placed { mapping, file }) = self.placed(address) else {
            return Spot::Anonymous;
        };
        let offset = address - mapping.start + mapping.offset;
        if let Some(file) = *file {
            let loads = files.all()[file].loads.as_ref();
            let own = loads.and_then(|loads| loads.address_of(offset));
            return Spot::File(InFile {
                file,
                address: own.unwrap_or(offset),
            });
        }
        match mapping.path == Path::new("[vdso]") {
            true => Spot::Vdso(address - mapping.start),
            false => Spot::Anonymous,
        }
    }

    /// Returns the file in whose data an address lies. That includes the zeroed memory behind the data, which does not have a
    /// file.
    pub fn data(&self, files: &Files, address: u64) -> Option<InFile> {
        self.readings.iter().rev().find_map(|reading| {
            // The file's mappings are below it, the nearest first.
            let after = reading.partition_point(|it| it.mapping.start <= address);
            let of_files = || reading[..after].iter().rev().filter(|it| it.file.is_some());
            let file = of_files().next()?.file?;
            let loads = files.all()[file].loads.as_ref()?;
            let of_file = || of_files().take_while(|it| it.file == Some(file));
            let inside = |Placed { mapping, .. }: &Placed| {
                let bias = loads.bias(mapping.start, mapping.offset, mapping.executable)?;
                let own = address.wrapping_sub(bias);
                loads.holds(own).then_some(InFile { file, address: own })
            };
            // A loaded file has one bias, which its code tells best: parts of its data may share a page of it.
            match of_file().find(|it| it.mapping.executable) {
                Some(code) => inside(code),
                None => of_file().find_map(inside),
            }
        })
    }

    /// Whether an address is code that does not come from a file: generated by the program itself.
    pub fn is_generated(&self, address: u64) -> bool {
        let placed = self.placed(address);
        placed.is_some_and(|it| {
            it.file.is_none() && it.mapping.executable && it.mapping.path != Path::new("[vdso]")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::small;

    static LOCK: u32 = 7;
    static mut ZEROED: [u32; 4096] = [0; 4096];

    #[test]
    fn code_and_data_of_this_process_lie_in_its_program() {
        let subject = Subject::of(std::process::id()).unwrap();
        let (mut memory, mut files) = (Memory::default(), Files::default());
        memory.read(&subject, &mut files);
        let code = code_and_data_of_this_process_lie_in_its_program as *const () as u64;
        let Spot::File(place) = memory.spot(&files, code) else {
            panic!("{:?}", memory.spot(&files, code));
        };
        let own = std::env::current_exe().unwrap();
        assert_eq!(files.all()[place.file].path, own);
        assert_eq!(
            memory
                .data(&files, &raw const LOCK as u64)
                .map(|it| it.file),
            Some(place.file)
        );
        // Only its address is used.
        let zeroed = &raw const ZEROED as u64 + 4096;
        assert_eq!(
            memory.data(&files, zeroed).map(|it| it.file),
            Some(place.file)
        );
        let heap = Box::new(0_u64);
        assert_eq!(memory.data(&files, &raw const *heap as u64), None);
    }

    #[test]
    fn data_of_a_small_file_lie_where_its_code_says() {
        let (base, mut files) = (0x7000_0000, Files::default());
        let file = std::sync::Arc::new(small::file());
        let mappings = small::mappings(base).into_iter();
        let mappings = mappings.map(|it| (it, Some(std::sync::Arc::clone(&file))));
        let memory = Memory::of_mappings(mappings.collect(), &mut files);
        let found = memory.data(&files, base + small::VARIABLE).unwrap();
        assert_eq!(found.address, small::VARIABLE);
    }

    #[test]
    fn what_was_read_twice_is_kept_once() {
        let subject = Subject::of(std::process::id()).unwrap();
        let (mut memory, mut files) = (Memory::default(), Files::default());
        memory.read(&subject, &mut files);
        let before = files.all().len();
        memory.read(&subject, &mut files);
        assert_eq!((memory.readings.len(), files.all().len()), (1, before));
    }
}
