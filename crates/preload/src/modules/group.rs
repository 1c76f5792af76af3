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

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: Mapping<'static> = Mapping {
        start: 0x1000,
        end: 0x3000,
        readable: true,
        writable: false,
        executable: true,
        file_offset: 0,
        inode: 7,
        path: b"/lib/a.so",
    };
    /// Directly behind, zero-initialised.
    const ZEROS: Mapping<'static> = Mapping {
        start: 0x3000,
        end: 0x4000,
        writable: true,
        executable: false,
        inode: 0,
        path: b"",
        ..CODE
    };

    fn group() -> Box<Group> {
        // SAFETY: zeros are a group without mappings.
        let mut group = unsafe { Box::<Group>::new_zeroed().assume_init() };
        group.begin(&CODE);
        group.add(&CODE, 0);
        group
    }

    #[test]
    fn a_group_keeps_what_its_mappings_say() {
        let mut group = group();
        group.add(&ZEROS, range_flags::ANONYMOUS);
        assert_eq!((group.path(), group.inode), (CODE.path, 7));
        let kept: Vec<_> = group
            .stretches()
            .iter()
            .map(|it| (it.start, it.end, it.file_offset, it.flags))
            .collect();
        // Readable and executable; readable, writable and anonymous.
        assert_eq!(kept, [(0x1000, 0x3000, 0, 5), (0x3000, 0x4000, 0, 11)]);
        let code: Vec<u64> = group.code().map(|it| it.start).collect();
        assert_eq!(code, [0x1000]);
        for _ in 0..2 * Group::STRETCHES {
            group.add(&CODE, 0);
        }
        assert_eq!(group.stretches().len(), Group::STRETCHES);
        group.clear();
        assert!(group.stretches().is_empty() && !group.continues_with(&CODE));
    }

    #[test]
    fn mappings_of_the_same_file_continue_it() {
        let group = group();
        assert!(group.continues_with(&CODE));
        let other_file = Mapping { inode: 8, ..CODE };
        let other_name = Mapping {
            path: b"/lib/b.so",
            ..CODE
        };
        assert!(!group.continues_with(&other_file) && !group.continues_with(&other_name));
    }

    #[test]
    fn zeros_and_gaps_follow_directly() {
        let mut group = group();
        let gap = Mapping {
            readable: false,
            writable: false,
            ..ZEROS
        };
        assert!(group.is_followed_by_zeros(&ZEROS) && !group.is_followed_by_a_gap(&ZEROS));
        assert!(group.is_followed_by_a_gap(&gap) && !group.is_followed_by_zeros(&gap));
        for no_gap in [
            Mapping {
                readable: true,
                ..gap
            },
            Mapping {
                executable: true,
                ..gap
            },
        ] {
            assert!(!group.is_followed_by_a_gap(&no_gap));
        }
        for mapping in [ZEROS, gap] {
            let further = Mapping {
                start: 0x3001,
                ..mapping
            };
            let of_a_file = Mapping {
                path: b"/lib/a.so",
                ..mapping
            };
            for other in [further, of_a_file] {
                assert!(!group.is_followed_by_zeros(&other) && !group.is_followed_by_a_gap(&other));
            }
        }
        group.add(&ZEROS, range_flags::ANONYMOUS);
        let more = Mapping {
            start: ZEROS.end,
            ..ZEROS
        };
        assert!(!group.is_followed_by_zeros(&more), "it is the heap's");
    }

    #[test]
    fn the_header_is_read_from_the_beginning_of_the_file() {
        let bytes = std::fs::read("/proc/self/exe").unwrap();
        let expected = elf::read(&bytes[..4096]).unwrap();
        let first = Mapping {
            start: bytes.as_ptr() as u64,
            end: bytes.as_ptr() as u64 + 4096,
            ..CODE
        };
        let image = |mapping: &Mapping<'_>, room: usize| {
            let mut group = group();
            group.begin(mapping);
            group.add(mapping, 0);
            let image = group.image(&mut vec![0; room]);
            assert_eq!(
                group.bias(expected),
                Some(mapping.start.wrapping_sub(expected.first_address))
            );
            image
        };
        assert_eq!(image(&first, 4096), Some(expected));
        assert_eq!(image(&first, 8192), Some(expected));
        let later = Mapping {
            file_offset: 4096,
            ..first
        };
        let unreadable = Mapping {
            readable: false,
            ..first
        };
        assert_eq!(
            (image(&later, 4096), image(&unreadable, 4096)),
            (None, None)
        );
    }
}
