//! The places of an ELF file's code and of its call frame information. Only headers are read.

use object::elf::{self, FileHeader64};
use object::endian::LittleEndian;
use object::read::ReadRef;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};

/// No file has more call frame information than this. A file that claims more is damaged.
const EH_FRAME_LIMIT: u64 = 128 << 20;

/// A part of the file that is loaded as code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Where it begins in the file.
    pub offset: u64,
    /// The address that the file gives it.
    pub address: u64,
    /// How long it is, in bytes.
    pub bytes: u64,
}

/// `.eh_frame`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Where it begins in the file.
    pub offset: u64,
    /// The address that the file gives it.
    pub address: u64,
    /// Its largest possible size, in bytes.
    pub bytes: u64,
    /// Whether its end is known; otherwise an entry of length zero marks it.
    pub is_whole: bool,
}

/// The layout that an ELF file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Its code. Empty if the file is for another machine, or not an ELF file.
    pub code: Vec<Code>,
    /// Its call frame information, on a machine for which we have rules.
    pub eh_frame: Option<Section>,
}

impl Layout {
    /// Reads the headers in `data`. Headers that cannot be read are treated as absent: damaged files can run, and may not even be
    /// mapped as what they seem to be.
    pub fn read<'a>(data: impl ReadRef<'a>) -> Self {
        Self::try_read(data).unwrap_or_default()
    }

    /// Returns the address from which offsets into a table are counted: the beginning of the page of the lowest code.
    pub fn base(&self) -> u64 {
        self.code
            .iter()
            .map(|code| code.address & !0xfff)
            .min()
            .unwrap_or(0)
    }

    /// Returns the address, by the file's numbering, of its byte `offset`, if that is code. `offset` may lie up to a page of
    /// memory before it.
    pub fn address_of(&self, offset: u64) -> Option<u64> {
        // The largest page size to which x86-64 and aarch64 align segments.
        const PAGE: u64 = 64 << 10;
        self.code
            .iter()
            .find(|code| {
                let page = code.offset & !(PAGE - 1);
                (code.offset..code.offset.saturating_add(code.bytes)).contains(&offset)
                    || (page..=code.offset).contains(&offset)
            })
            .map(|code| offset.wrapping_sub(code.offset).wrapping_add(code.address))
    }

    fn try_read<'a>(data: impl ReadRef<'a>) -> Option<Self> {
        let header = FileHeader64::<LittleEndian>::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let segments = header.program_headers(endian, data).ok()?;
        let is_code = |flags: u32| flags & elf::PF_X.0 != 0;
        let loaded = segments
            .iter()
            .filter(|segment| segment.p_type(endian) == elf::PT_LOAD);
        let code = loaded
            .clone()
            .filter(|segment| is_code(segment.p_flags(endian).0))
            .map(|segment| Code {
                offset: segment.p_offset(endian),
                address: segment.p_vaddr(endian),
                bytes: segment.p_filesz(endian),
            })
            .collect();
        let mut layout = Self {
            code,
            eh_frame: None,
        };
        if header.e_machine(endian) != elf::EM_X86_64 {
            return Some(layout);
        }
        layout.eh_frame = by_sections(header, data).or_else(|| {
            let index = segments
                .iter()
                .find(|segment| segment.p_type(endian) == elf::PT_GNU_EH_FRAME)?;
            let start = index_start(index.data(endian, data).ok()?, index.p_vaddr(endian))?;
            // Without a table of sections, the end of the section is unknown; the zero-length entry at its end comes before the
            // end of the segment.
            loaded.clone().find_map(|segment| {
                let within = start.checked_sub(segment.p_vaddr(endian))?;
                let bytes = segment.p_filesz(endian).checked_sub(within)?;
                Some(Section {
                    offset: segment.p_offset(endian).checked_add(within)?,
                    address: start,
                    bytes,
                    is_whole: false,
                })
            })
        });
        layout.eh_frame = layout
            .eh_frame
            .filter(|section| (1..=EH_FRAME_LIMIT).contains(&section.bytes));
        Some(layout)
    }
}

fn by_sections<'a>(header: &FileHeader64<LittleEndian>, data: impl ReadRef<'a>) -> Option<Section> {
    let endian = LittleEndian;
    let sections = header.sections(endian, data).ok()?;
    let (_, section) = sections.section_by_name(endian, b".eh_frame")?;
    let (offset, bytes) = section.file_range(endian)?;
    Some(Section {
        offset,
        address: section.sh_addr(endian),
        bytes,
        is_whole: true,
    })
}

/// Returns where `.eh_frame` begins according to `.eh_frame_hdr` at address `at` (Linux Standard Base, 10.6.2). The two encodings
/// are those that linkers write.
fn index_start(index: &[u8], at: u64) -> Option<u64> {
    const VERSION: u8 = 1;
    const RELATIVE_32: u8 = 0x1b;
    const ABSOLUTE_64: u8 = 0x04;
    let head = index.get(..2)?;
    match (head[0], head[1]) {
        (VERSION, RELATIVE_32) => {
            let distance = i32::from_le_bytes(index.get(4..8)?.try_into().ok()?);
            Some(at.wrapping_add(4).wrapping_add_signed(distance.into()))
        }
        (VERSION, ABSOLUTE_64) => Some(u64::from_le_bytes(index.get(4..12)?.try_into().ok()?)),
        _ => None,
    }
}
