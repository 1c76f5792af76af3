//! A copy of those parts of a file that names need, for a file that others may change, truncate, or have forged.
//!
//! The copy is a new ELF file in memory that no other process writes to. It has the segments' headers, symbol tables and, on
//! request, sections of debug information, each no longer than it says and all together no longer than [`MOST_BYTES`]. References
//! to further files are left out.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use flate2::bufread::ZlibDecoder;
use object::LittleEndian as LE;
use object::elf::{
    ELFCOMPRESS_ZLIB, ET_DYN, FileHeader64, SHF_COMPRESSED, SHT_NOBITS, SHT_STRTAB, SectionFlags,
    SectionHeader64, Sym64, SymbolSection,
};
use object::pod::bytes_of;
use object::read::elf::{FileHeader, SectionHeader};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

use crate::bounded::Bounded;

/// The limit for symbols and debug information of one file, uncompressed. A browser has half of this.
const MOST_BYTES: u64 = 1 << 30;
/// The limit for all headers of a file and the names of its sections.
const MOST_OF_HEADERS: u64 = 32 << 20;
/// The most sections that are copied. A file has fewer that we want.
const MOST_SECTIONS: usize = 64;

const SYMBOLS: [&[u8]; 2] = [b".symtab", b".dynsym"];
const NAMES: [&[u8]; 2] = [b".strtab", b".dynstr"];
const DEBUG: &[u8] = b".debug_";
const INFORMATION: &[u8] = b".debug_info";
/// A section that names another file.
const LINK: &[u8] = b".debug_sup";

/// The copy.
#[derive(Debug)]
pub struct Copied {
    memory: File,
    has_debug_information: bool,
}

impl Copied {
    /// Copies `file`; `None` if it is not an ELF file of this machine's kind, or if no part of it could be read.
    pub fn of(file: &File, debug: bool) -> Option<Self> {
        let bounded = &Bounded::new(file, MOST_OF_HEADERS);
        let header = FileHeader64::<LE>::parse(bounded).ok()?;
        let segments = header.program_headers(LE, bounded).ok()?;
        let sections = header.sections(LE, bounded).ok()?;
        let mut copy = Copy::begin().ok()?;
        let mut taken: Vec<SectionHeader64<LE>> = vec![section_header(0, 0, 0)];
        let mut names = vec![0];
        for section in sections.iter() {
            let name = sections.section_name(LE, section).unwrap_or_default();
            if !is_wanted(name, debug) || taken.len() > MOST_SECTIONS {
                continue;
            }
            let Some(bytes) = Bytes::of(section, bounded) else {
                continue;
            };
            let is_table = SYMBOLS.contains(&name);
            copy.has_debug_information |= name == INFORMATION;
            let Ok((offset, length)) = copy.append(file, bytes, is_table) else {
                continue;
            };
            let mut ours = *section;
            let flags = section.sh_flags(LE).0 & !SHF_COMPRESSED.0;
            ours.sh_name.set(LE, names.len() as u32);
            ours.sh_flags.set(LE, SectionFlags(flags));
            ours.sh_offset.set(LE, offset);
            ours.sh_size.set(LE, length);
            taken.push(ours);
            names.extend_from_slice(name);
            names.push(0);
        }
        let mut header = *header;
        header.e_type.set(LE, ET_DYN);
        let segments: Vec<u8> = segments.iter().flat_map(bytes_of).copied().collect();
        copy.finish(header, &segments, taken, names).ok()
    }

    /// Returns a path through which this process, and those that it forks, can read the copy.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.memory.as_raw_fd()))
    }

    /// Whether debug information was requested and present.
    pub fn has_debug_information(&self) -> bool {
        self.has_debug_information
    }
}

fn is_wanted(name: &[u8], debug: bool) -> bool {
    let is_debug = debug && name.starts_with(DEBUG) && name != LINK;
    is_debug || SYMBOLS.contains(&name) || NAMES.contains(&name)
}

/// Where the bytes of a section are.
struct Bytes {
    offset: u64,
    length: u64,
    /// Their number once they have been inflated.
    inflated: Option<u64>,
}

impl Bytes {
    fn of(section: &SectionHeader64<LE>, file: &Bounded<'_>) -> Option<Self> {
        if section.sh_type(LE) == SHT_NOBITS {
            return None;
        }
        if let Some((header, offset, length)) = section.compression(LE, file).ok()? {
            let inflated = header.ch_size.get(LE);
            let is_known = header.ch_type.get(LE) == ELFCOMPRESS_ZLIB;
            return is_known.then_some(Self {
                offset,
                length,
                inflated: Some(inflated),
            });
        }
        let (offset, length) = section.file_range(LE)?;
        Some(Self {
            offset,
            length,
            inflated: None,
        })
    }
}

/// A copy in the making.
struct Copy {
    memory: File,
    end: u64,
    has_debug_information: bool,
}

impl Copy {
    /// Begins a copy, with room for the file's header.
    fn begin() -> io::Result<Self> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        Ok(Self {
            memory: memfd_create("locktoll-names", flags)?.into(),
            end: size_of::<FileHeader64<LE>>() as u64,
            has_debug_information: false,
        })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<u64> {
        // Tables are read in place, so they must be aligned for their words.
        let at = self.end.next_multiple_of(16);
        self.memory.write_all_at(bytes, at)?;
        self.end = at + bytes.len() as u64;
        Ok(at)
    }

    /// Appends these bytes, and returns where they are now and how many. A section that ends too early is an error.
    fn append(&mut self, file: &File, bytes: Bytes, is_table: bool) -> io::Result<(u64, u64)> {
        let length = bytes.inflated.unwrap_or(bytes.length);
        if length > MOST_BYTES.saturating_sub(self.end) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let compressed = InPlace {
            file,
            at: bytes.offset,
            left: bytes.length,
        };
        let begin = match bytes.inflated {
            // Copies no more than the section's header says, whatever the section holds.
            Some(_) => self.copy(
                ZlibDecoder::new(BufReader::new(compressed)),
                length,
                is_table,
            ),
            None => self.copy(compressed, length, is_table),
        }?;
        Ok((begin, length))
    }

    fn copy(&mut self, mut from: impl Read, length: u64, is_table: bool) -> io::Result<u64> {
        const SYMBOL: usize = size_of::<Sym64<LE>>();
        let mut piece = vec![0; SYMBOL << 13];
        let begin = self.write(&[])?;
        while self.end - begin < length {
            let left = (length - (self.end - begin)).min(piece.len() as u64) as usize;
            let piece = &mut piece[..left];
            from.read_exact(piece)?;
            if is_table {
                piece.chunks_exact_mut(SYMBOL).for_each(keep_in_bounds);
            }
            self.memory.write_all_at(piece, self.end)?;
            self.end += left as u64;
        }
        Ok(begin)
    }

    fn finish(
        mut self,
        mut header: FileHeader64<LE>,
        segments: &[u8],
        mut sections: Vec<SectionHeader64<LE>>,
        mut names: Vec<u8>,
    ) -> io::Result<Copied> {
        let own_name = names.len() as u32;
        names.extend_from_slice(b".shstrtab\0");
        let names_at = self.write(&names)?;
        let mut own = section_header(own_name, names_at, names.len() as u64);
        own.sh_type.set(LE, SHT_STRTAB);
        header
            .e_shstrndx
            .set(LE, SymbolSection(sections.len() as u16));
        sections.push(own);
        header.e_shnum.set(LE, sections.len() as u16);
        header.e_phoff.set(LE, self.write(segments)?);
        let sections: Vec<u8> = sections.iter().flat_map(bytes_of).copied().collect();
        header.e_shoff.set(LE, self.write(&sections)?);
        self.memory.write_all_at(bytes_of(&header), 0)?;
        let sealed = SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE | SealFlags::SEAL;
        fcntl_add_seals(&self.memory, sealed)?;
        Ok(Copied {
            memory: self.memory,
            has_debug_information: self.has_debug_information,
        })
    }
}

/// Sets the length of a symbol to zero if its end lies behind the end of all memory.
fn keep_in_bounds(symbol: &mut [u8]) {
    const VALUE: usize = 8;
    const SIZE: usize = 16;
    let word = |at: usize| u64::from_le_bytes(symbol[at..at + 8].try_into().expect("eight bytes"));
    if word(VALUE).checked_add(word(SIZE)).is_none() {
        symbol[SIZE..SIZE + 8].fill(0);
    }
}

fn section_header(name: u32, offset: u64, size: u64) -> SectionHeader64<LE> {
    let mut header = SectionHeader64 {
        sh_name: Default::default(),
        sh_type: Default::default(),
        sh_flags: Default::default(),
        sh_addr: Default::default(),
        sh_offset: Default::default(),
        sh_size: Default::default(),
        sh_link: Default::default(),
        sh_info: Default::default(),
        sh_addralign: Default::default(),
        sh_entsize: Default::default(),
    };
    header.sh_name.set(LE, name);
    header.sh_offset.set(LE, offset);
    header.sh_size.set(LE, size);
    header
}

/// A part of a file, read without moving the file's own position.
struct InPlace<'f> {
    file: &'f File,
    at: u64,
    left: u64,
}

impl Read for InPlace<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.left.min(buffer.len() as u64) as usize;
        let read = self.file.read_at(&mut buffer[..most], self.at)?;
        self.at += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::source::Symbols;
    use blazesym::symbolize::Input;

    fn own_program() -> File {
        File::open("/proc/self/exe").unwrap()
    }

    #[test]
    fn a_copy_has_the_names_that_the_file_has() {
        let copied = Copied::of(&own_program(), false).unwrap();
        let bytes = std::fs::read("/proc/self/exe").unwrap();
        let header = FileHeader64::<LE>::parse(&bytes[..]).unwrap();
        let sections = header.sections(LE, &bytes[..]).unwrap();
        let symbols = sections
            .symbols(LE, &bytes[..], object::elf::SHT_SYMTAB)
            .unwrap();
        let function = symbols
            .iter()
            .find(|it| it.st_type() == object::elf::STT_FUNC && it.st_size.get(LE) > 0)
            .unwrap();
        let place = Input::VirtOffset(function.st_value.get(LE));
        let by_copy = Symbols::new(false).calls(&copied.path(), place);
        let itself = Symbols::new(false).calls("/proc/self/exe".as_ref(), place);
        assert!(by_copy.is_some());
        assert_eq!(by_copy, itself);
        assert!(!copied.has_debug_information());
        assert!(
            Copied::of(&own_program(), true)
                .unwrap()
                .has_debug_information()
        );
    }

    #[test]
    fn nobody_changes_a_copy() {
        let copied = Copied::of(&own_program(), false).unwrap();
        assert!(copied.memory.set_len(0).is_err());
        assert!(copied.memory.write_all_at(b"x", 0).is_err());
    }

    #[test]
    fn what_is_no_file_of_code_has_no_copy_and_what_is_cut_short_has_no_such_section() {
        let text = File::open("/proc/self/status").unwrap();
        assert!(Copied::of(&text, true).is_none());
        let whole = std::fs::read("/proc/self/exe").unwrap();
        let cut = tempfile::tempfile().unwrap();
        cut.write_all_at(&whole, 0).unwrap();
        cut.set_len(whole.len() as u64 / 2).unwrap();
        // The headers of sections were at the file's end.
        assert!(Copied::of(&cut, true).is_none());
        // Put back there, they claim contents that are no longer there.
        let headers = FileHeader64::<LE>::parse(&whole[..])
            .unwrap()
            .e_shoff
            .get(LE);
        cut.write_all_at(&whole[headers as usize..], headers)
            .unwrap();
        assert!(Copied::of(&cut, true).is_some());
    }

    #[test]
    fn a_symbol_ends_within_memory() {
        let mut symbol = [0xff; 24];
        keep_in_bounds(&mut symbol);
        assert_eq!(symbol[16..], [0; 8]);
        let mut plain = [1; 24];
        keep_in_bounds(&mut plain);
        assert_eq!(plain, [1; 24]);
    }
}
