//! The mappings of one file.

use locktoll_recording::layout::range_flags;

use crate::elf;
use crate::maps::Mapping;
use crate::sys;

/// Consecutive mappings of one file, as they are collected.
pub struct Group {
    path: [u8; libc::PATH_MAX as usize],
    path_bytes: usize,
    pub inode: u64,
    stretches: [Stretch; Group::STRETCHES],
    count: usize,
}

/// One mapping of a group.
#[derive(Clone, Copy)]
pub struct Stretch {
    /// The first address.
    pub start: u64,
    /// The address after the last.
    pub end: u64,
    /// The offset in the file where it begins.
    pub file_offset: u64,
    /// `range_flags`.
    pub flags: u32,
}

impl Group {
    /// The most mappings that a group keeps. Linkers make four or five, and protection changes may split them.
    const STRETCHES: usize = 16;

    /// Empties the group.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Begins the group with the first mapping of a file.
    pub fn begin(&mut self, mapping: &Mapping<'_>) {
        self.count = 0;
        self.inode = mapping.inode;
        let kept = mapping.path.len().min(self.path.len());
        self.path[..kept].copy_from_slice(&mapping.path[..kept]);
        self.path_bytes = kept;
    }

    /// Returns the path of the file, truncated if it is too long.
    pub fn path(&self) -> &[u8] {
        &self.path[..self.path_bytes]
    }

    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches[..self.count]
    }

    /// Adds a mapping, unless there are too many.
    pub fn add(&mut self, mapping: &Mapping<'_>, more_flags: u32) {
        let Some(place) = self.stretches.get_mut(self.count) else {
            return;
        };
        let flag = |is: bool, flag: u32| if is { flag } else { 0 };
        *place = Stretch {
            start: mapping.start,
            end: mapping.end,
            file_offset: mapping.file_offset,
            flags: flag(mapping.readable, range_flags::READABLE)
                | flag(mapping.writable, range_flags::WRITABLE)
                | flag(mapping.executable, range_flags::EXECUTABLE)
                | more_flags,
        };
        self.count += 1;
    }

    /// Whether `mapping` belongs to the same file as the group, and follows it.
    pub fn continues_with(&self, mapping: &Mapping<'_>) -> bool {
        self.count > 0 && mapping.inode == self.inode && mapping.path == self.path()
    }

    /// Whether `mapping` is the zero-initialised data of the group's file: anonymous, writable, and directly behind it.
    pub fn is_followed_by_zeros(&self, mapping: &Mapping<'_>) -> bool {
        mapping.path.is_empty()
            && mapping.writable
            && self.stretches().last().is_some_and(|last| {
                last.end == mapping.start && last.flags & range_flags::ANONYMOUS == 0
            })
    }

    /// Whether `mapping` is a gap between the group's code and data. Some loaders, including qemu's, leave room there,
    /// reserved and inaccessible, for pages larger than these (64 KiB on Arm).
    pub fn is_followed_by_a_gap(&self, mapping: &Mapping<'_>) -> bool {
        let accessible = mapping.readable || mapping.writable || mapping.executable;
        mapping.path.is_empty()
            && !accessible
            && self
                .stretches()
                .last()
                .is_some_and(|last| last.end == mapping.start)
    }

    /// Iterates over the mappings that are code.
    pub fn code(&self) -> impl Iterator<Item = &Stretch> {
        let executable = |stretch: &&Stretch| stretch.flags & range_flags::EXECUTABLE != 0;
        self.stretches().iter().filter(executable)
    }

    /// Returns the number to add to an address in the file to get the address in memory.
    pub fn bias(&self, image: elf::Image) -> Option<u64> {
        let first = self.stretches().first()?;
        Some(first.start.wrapping_sub(image.first_address))
    }

    /// Returns the contents of the ELF header, read into `buffer`. This is enough for the tables that linkers put right behind
    /// it.
    pub fn image(&self, buffer: &mut [u8]) -> Option<elf::Image> {
        let first = self.stretches().first()?;
        if first.file_offset != 0 || first.flags & range_flags::READABLE == 0 {
            return None;
        }
        // It is not read in place: another thread may have unmapped it since the kernel listed it, as dlclose(3) does.
        let wanted = buffer.len().min((first.end - first.start) as usize);
        let read = sys::read_memory(first.start, buffer.get_mut(..wanted)?).ok()?;
        elf::read(buffer.get(..read)?)
    }
}
