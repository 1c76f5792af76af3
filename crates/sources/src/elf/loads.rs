//! The relation between the offsets in an ELF file, its own addresses and those of a process.

use std::fs::File;

use object::read::Object;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Endianness, elf};

use crate::bounded::Bounded;

/// The limit for reading a file: its headers and symbol tables.
const MOST_BYTES: u64 = 512 << 20;

/// The parts of a file that are loaded into memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loads {
    /// Its segments, in the order of their addresses.
    segments: Vec<Segment>,
    /// Its GNU build id.
    pub build_id: Vec<u8>,
    /// Bytes that its debug information takes, uncompressed.
    pub debug_bytes: u64,
    /// Whether Go's compiler made it.
    pub is_of_go: bool,
}

/// A stretch of a file that is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    offset: u64,
    address: u64,
    in_file: u64,
    in_memory: u64,
    is_code: bool,
}

impl Loads {
    /// Reads the loaded parts of a file; `None` if it is not an ELF file of this machine's width.
    pub fn read(file: &File) -> Option<Self> {
        // The process's files may have any size, and claim any other. We read only what is asked for.
        let data = &Bounded::new(file, MOST_BYTES);
        let file = ElfFile64::<Endianness, _>::parse(data).ok()?;
        let endian = file.endian();
        let headers = file.elf_header().program_headers(endian, data).ok()?;
        let mut segments: Vec<Segment> = headers
            .iter()
            .filter(|header| header.p_type(endian) == elf::PT_LOAD)
            .map(|header| Segment {
                offset: header.p_offset(endian),
                address: header.p_vaddr(endian),
                in_file: header.p_filesz(endian),
                in_memory: header.p_memsz(endian),
                is_code: header.p_flags(endian).0 & elf::PF_X.0 != 0,
            })
            .collect();
        segments.sort_by_key(|segment| segment.address);
        Some(Self {
            segments,
            build_id: file.build_id().ok().flatten().unwrap_or_default().to_vec(),
            debug_bytes: debug_bytes(&file),
            is_of_go: file.section_by_name(".go.buildinfo").is_some(),
        })
    }

    /// Returns the file's own address of the byte at `offset`.
    pub fn address_of(&self, offset: u64) -> Option<u64> {
        let segment = self
            .segments
            .iter()
            .find(|it| offset >= it.offset && offset - it.offset < it.in_file)?;
        Some(segment.address.wrapping_add(offset - segment.offset))
    }

    /// Returns the number to be added to the file's own addresses where `offset` is mapped to `start`, as code or as data. Mappings begin
    /// at whole pages, that is, before a segment that does not.
    ///
    /// Segments may share a page of the file, which is then mapped for each of them, a page or more apart. If several of them are code or
    /// are not, as `is_code` says, the one is taken that begins on the page; if several do, the first, which may be wrong. So a file's
    /// bias should come from its code, if that is mapped.
    pub fn bias(&self, start: u64, offset: u64, is_code: bool) -> Option<u64> {
        const PAGE: u64 = 4096;
        let first = |it: &Segment| it.offset & !(PAGE - 1);
        let around = self
            .segments
            .iter()
            .filter(|it| offset >= first(it) && offset < it.offset.saturating_add(it.in_file));
        let segment = around.min_by_key(|it| (it.is_code != is_code, first(it) != offset))?;
        let address = segment
            .address
            .wrapping_add(offset.wrapping_sub(segment.offset));
        Some(start.wrapping_sub(address))
    }

    /// Whether the file's own address lies in memory into which it is loaded, including the zeroed memory behind it.
    pub fn holds(&self, address: u64) -> bool {
        let inside = |it: &Segment| address >= it.address && address - it.address < it.in_memory;
        self.segments.iter().any(inside)
    }
}

fn debug_bytes<'d, R: object::read::ReadRef<'d>>(file: &ElfFile64<'d, Endianness, R>) -> u64 {
    use object::read::ObjectSection;
    let of_debug = file.sections().filter(|section| {
        section
            .name()
            .is_ok_and(|name| name.starts_with(".debug_") || name.starts_with(".zdebug_"))
    });
    of_debug
        .map(|section| match section.compressed_file_range() {
            Ok(range) => range.uncompressed_size,
            Err(_) => section.size(),
        })
        .fold(0, u64::saturating_add)
}

/// The small ELF file of which tests map the parts.
#[cfg(test)]
pub mod small {
    use std::fs::File;
    use std::io::Write;

    use crate::mapped::Mapping;

    /// The offset, the address, and the bytes in the file and in memory of each part, as lld lays out a small program. The second is
    /// code. The last two are what is relocated and the variables, which begin on one page of the file.
    const PARTS: [[u64; 4]; 4] = [
        [0, 0, 0x1a00, 0x1a00],
        [0x1a00, 0x2a00, 0x11e0, 0x11e0],
        [0x2be0, 0x4be0, 0x1d8, 0x420],
        [0x2db8, 0x5db8, 0x38, 0x100],
    ];
    /// The address of a variable.
    pub const VARIABLE: u64 = 0x5e40;

    /// Returns the mappings of the parts at `base`, each of a whole number of pages.
    pub fn mappings(base: u64) -> Vec<Mapping> {
        let lines = [
            (0, "r--p", 0),
            (0x2000, "r-xp", 0x1000),
            (0x4000, "r--p", 0x2000),
            (0x5000, "rw-p", 0x2000),
        ];
        let ends = [0x2000, 0x4000, 0x5000, 0x6000];
        let lines = lines
            .into_iter()
            .zip(ends)
            .map(|((start, access, offset), end)| {
                let (start, end) = (base + start, base + end);
                format!("{start:x}-{end:x} {access} {offset:x} 08:02 77  /small\n")
            });
        Mapping::all(lines.collect::<String>().as_bytes())
    }

    /// Returns a file with these parts.
    pub fn file() -> File {
        let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
        bytes.resize(16, 0);
        let mut put = |number: u64, size: usize| bytes.extend(&number.to_le_bytes()[..size]);
        // A shared object for x86-64, whose program headers follow.
        for (number, size) in [(3, 2), (62, 2), (1, 4), (0, 8), (64, 8), (0, 8), (0, 4)] {
            put(number, size);
        }
        for number in [64, 56, PARTS.len() as u64, 64, 0, 0] {
            put(number, 2);
        }
        for (at, [offset, address, in_file, in_memory]) in PARTS.into_iter().enumerate() {
            let access = [4, 5, 6, 6][at];
            put(1, 4);
            put(access, 4);
            for number in [offset, address, address, in_file, in_memory, 4096] {
                put(number, 8);
            }
        }
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_addresses_of_a_file_with_two_segments() {
        let segment = |offset, address, in_file, in_memory| Segment {
            offset,
            address,
            in_file,
            in_memory,
            is_code: false,
        };
        let loads = Loads {
            segments: vec![
                segment(0, 0, 0x1000, 0x1000),
                segment(0x1f00, 0x3f00, 0x200, 0x900),
            ],
            ..Loads::default()
        };
        assert_eq!(loads.address_of(0x1f10), Some(0x3f10));
        assert_eq!(loads.address_of(0x1010), None);
        // The second is mapped from the beginning of its first page.
        assert_eq!(loads.bias(0x7000_3000, 0x1000, false), Some(0x7000_0000));
        assert_eq!(loads.bias(0x7000_0000, 0, false), Some(0x7000_0000));
        assert!(loads.holds(0x4700) && !loads.holds(0x4800));
    }

    #[test]
    fn segments_that_share_a_page_of_the_file_are_distinguished() {
        let segment = |offset, address, in_file, is_code| Segment {
            offset,
            address,
            in_file,
            in_memory: in_file,
            is_code,
        };
        let base = 0x7000_0000;
        // As rust-lld lays out a large program, and a small one: there is no gap in the file, and one of a page between the addresses.
        // In the small one, the last two begin on one page of the file, and only the first two can be told.
        for ([data, code, relocated, variables], told) in [
            (
                [
                    (0, 0, 0x9f_5a74),
                    (0x9f_5a80, 0x9f_6a80, 0x125_5140),
                    (0x1c4_abc0, 0x1c4_cbc0, 0x8_da28),
                    (0x1cd_85e8, 0x1cd_b5e8, 0x2_15e8),
                ],
                4,
            ),
            (
                [
                    (0, 0, 0x5a4),
                    (0x5a8, 0x15a8, 0x200),
                    (0x7a8, 0x27a8, 0x1a0),
                    (0x948, 0x3948, 0x48),
                ],
                2,
            ),
        ] {
            let all = [
                (data, false),
                (code, true),
                (relocated, false),
                (variables, false),
            ];
            let of =
                |((offset, address, in_file), is_code)| segment(offset, address, in_file, is_code);
            let loads = Loads {
                segments: all.map(of).to_vec(),
                ..Loads::default()
            };
            for ((offset, address, _), is_code) in all.into_iter().take(told) {
                let page = |it: u64| it & !0xfff;
                assert_eq!(
                    loads.bias(base + page(address), page(offset), is_code),
                    Some(base),
                    "{offset:#x}"
                );
            }
        }
    }

    #[test]
    fn this_program_is_an_elf_file() {
        let loads = Loads::read(&File::open("/proc/self/exe").unwrap()).unwrap();
        assert!(loads.segments.len() > 1 && loads.holds(loads.segments[0].address));
        assert_eq!(Loads::read(&File::open("/proc/self/status").unwrap()), None);
    }
}
