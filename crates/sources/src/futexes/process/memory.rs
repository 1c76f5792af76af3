//! The memory of a process over the time that it is watched.

use std::path::Path;

use super::Subject;
use super::files::{FileIndex, Files};
use crate::mapped::{Mapping, mappings};

/// Mappings as they are and as they were: what was unloaded meanwhile still has names.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// As read, the newest last; reading that changed nothing adds none.
    readings: Vec<Vec<Placed>>,
}

/// A mapping and its file.
#[derive(Clone, Debug, PartialEq)]
struct Placed {
    mapping: Mapping,
    file: Option<FileIndex>,
}

/// A place in a file, by the file's own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InFile {
    /// Which file.
    pub file: FileIndex,
    /// The address, as the file numbers it; where the file is none of code or not there, the offset in it.
    pub address: u64,
}

/// Where an address lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// In a file.
    File(InFile),
    /// In the kernel's own page of code, so far from its beginning.
    Vdso(u64),
    /// In memory without a file: generated code.
    Anonymous,
}

/// Mappings of a process beyond this are not looked at: nothing that has as many waits in all of them.
const MOST_MAPPINGS: usize = 200_000;
/// Readings kept at most, and mappings in all of them: a process can have others at each reading.
const MOST_READINGS: usize = 64;
const MOST_KEPT: usize = 400_000;

impl Memory {
    /// Reads what is mapped now. Of a process that has ended nothing new is learned, and nothing lost.
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
                // Files without code, as shared memory, are told by nothing.
                let file = coded
                    .contains(&key)
                    .then(|| files.index_of(subject, &mapping))
                    .flatten();
                Placed { mapping, file }
            })
            .collect();
        self.keep(placed);
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

    /// Whether nothing was ever read.
    pub fn is_empty(&self) -> bool {
        self.readings.is_empty()
    }

    /// The mapping around an address, as it was last.
    fn placed(&self, address: u64) -> Option<&Placed> {
        self.readings.iter().rev().find_map(|reading| {
            let after = reading.partition_point(|it| it.mapping.start <= address);
            let last = reading[..after].last()?;
            (address < last.mapping.end).then_some(last)
        })
    }

    /// Where an address of code lies.
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

    /// The file whose data an address lies in, the zeroed memory behind it included, which has no file of its own.
    pub fn data(&self, files: &Files, address: u64) -> Option<InFile> {
        self.readings.iter().rev().find_map(|reading| {
            // Its files are mapped below it, the nearest first.
            let after = reading.partition_point(|it| it.mapping.start <= address);
            let mut tried = None;
            for placed in reading[..after].iter().rev().filter(|it| it.file.is_some()) {
                let Some(file) = placed.file else { continue };
                if tried.is_some_and(|tried| tried != file) {
                    return None;
                }
                tried = Some(file);
                let loads = files.all()[file].loads.as_ref()?;
                let bias = loads.bias(placed.mapping.start, placed.mapping.offset)?;
                let own = address.wrapping_sub(bias);
                if loads.holds(own) {
                    return Some(InFile { file, address: own });
                }
            }
            None
        })
    }

    /// Whether an address is code of no file: generated by the program itself.
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
        // Only its address is taken.
        let zeroed = &raw const ZEROED as u64 + 4096;
        assert_eq!(
            memory.data(&files, zeroed).map(|it| it.file),
            Some(place.file)
        );
        let heap = Box::new(0_u64);
        assert_eq!(memory.data(&files, &raw const *heap as u64), None);
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
