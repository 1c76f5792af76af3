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
    /// Two segments may share a page of the file, which is then mapped twice, a page or more apart: of them, a mapping belongs to the one
    /// that is code as it is, or that begins where it begins.
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
        for [data, code, relocated, variables] in [
            [
                (0, 0, 0x9f_5a74),
                (0x9f_5a80, 0x9f_6a80, 0x125_5140),
                (0x1c4_abc0, 0x1c4_cbc0, 0x8_da28),
                (0x1cd_85e8, 0x1cd_b5e8, 0x2_15e8),
            ],
            [
                (0, 0, 0x5a4),
                (0x5a8, 0x15a8, 0x200),
                (0x7a8, 0x27a8, 0x1a0),
                (0x948, 0x3948, 0x48),
            ],
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
            for ((offset, address, _), is_code) in [all[0], all[1]] {
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
