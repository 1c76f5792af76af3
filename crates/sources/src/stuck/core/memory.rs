//! The memory of a core file. Pages that the kernel did not write are read from the mapped files.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// The memory, in the order of addresses.
pub struct CoreMemory {
    core: File,
    stretches: Vec<Stretch>,
    /// Mapped files, for memory that was not written to the core file.
    files: Vec<(Stretch, Arc<File>)>,
}

/// A stretch of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its first address.
    pub start: u64,
    /// The number of bytes that are in a file.
    pub bytes: u64,
    /// Where it begins in that file.
    pub offset: u64,
}

impl Stretch {
    /// Returns the offset of the byte at `address`, and the number of bytes from there to the end.
    fn find(&self, address: u64) -> Option<(u64, u64)> {
        let inside = address.checked_sub(self.start)?;
        let left = self.bytes.checked_sub(inside)?;
        Some((self.offset.checked_add(inside)?, left)).filter(|_| left > 0)
    }
}

impl CoreMemory {
    /// Reads from `core` and, where the memory is not there, from `files`.
    pub fn new(core: File, mut stretches: Vec<Stretch>, files: Vec<(Stretch, Arc<File>)>) -> Self {
        stretches.sort_by_key(|it| it.start);
        Self {
            core,
            stretches,
            files,
        }
    }

    /// The same memory, with these files for what was not written.
    pub fn with_files(mut self, files: Vec<(Stretch, Arc<File>)>) -> Self {
        self.files = files;
        self
    }

    /// Fills `bytes` with the memory from `address` on. Returns `false` if part of it is missing.
    pub fn read(&self, mut address: u64, mut bytes: &mut [u8]) -> bool {
        while !bytes.is_empty() {
            let Some((file, offset, left)) = self.find(address) else {
                return false;
            };
            let length = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let (now, later) = bytes.split_at_mut(length);
            if file.read_exact_at(now, offset).is_err() {
                return false;
            }
            bytes = later;
            let Some(next) = address.checked_add(length as u64) else {
                return bytes.is_empty();
            };
            address = next;
        }
        true
    }

    fn find(&self, address: u64) -> Option<(&File, u64, u64)> {
        let after = self.stretches.partition_point(|it| it.start <= address);
        let in_core = self.stretches[..after]
            .last()
            .and_then(|it| it.find(address));
        if let Some((offset, left)) = in_core {
            return Some((&self.core, offset, left));
        }
        let mut files = self.files.iter();
        files.find_map(|(stretch, file)| {
            let (offset, left) = stretch.find(address)?;
            Some((&**file, offset, left))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn memory_is_read_over_the_ends_of_stretches_and_from_mapped_files() {
        let stretch = |start, bytes, offset| Stretch {
            start,
            bytes,
            offset,
        };
        let core = file(b"....abcdefgh");
        let library = Arc::new(file(b"LIBRARY"));
        // In the core file, only the first two bytes of the second stretch.
        let stretches = vec![stretch(0x1004, 2, 8), stretch(0x1000, 4, 4)];
        let memory = CoreMemory::new(core, stretches, vec![(stretch(0x1006, 7, 0), library)]);
        let mut bytes = [0; 10];
        assert!(memory.read(0x1002, &mut bytes));
        assert_eq!(&bytes, b"cdefLIBRAR");
        assert!(!memory.read(0x1008, &mut bytes), "it ends there");
        assert!(!memory.read(0xfff, &mut bytes) && !memory.read(u64::MAX, &mut bytes));
    }
}
