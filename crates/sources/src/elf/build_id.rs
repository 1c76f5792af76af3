//! The version of a file.

use std::fs::File;

use object::LittleEndian;
use object::elf::FileHeader64;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};

use crate::bounded::Bounded;

/// The limit for reading headers and notes. In code files, they take a few kilobytes.
const MOST_BYTES: u64 = 16 << 20;

/// Returns the GNU build id of a file, or nothing.
pub fn build_id(file: &File) -> Vec<u8> {
    read(&Bounded::new(file, MOST_BYTES)).unwrap_or_default()
}

fn read(data: &Bounded<'_>) -> Option<Vec<u8>> {
    let endian = LittleEndian;
    let header = FileHeader64::<LittleEndian>::parse(data).ok()?;
    let segments = header.program_headers(endian, data).ok()?;
    let in_segments = segments
        .iter()
        .filter_map(|it| it.notes(endian, data).ok().flatten());
    let sections = header.sections(endian, data).ok();
    let in_sections = sections.iter().flat_map(|sections| {
        let sections = sections.iter();
        sections.filter_map(|it| it.notes(endian, data).ok().flatten())
    });
    for mut notes in in_segments.chain(in_sections) {
        while let Ok(Some(note)) = notes.next() {
            if note.name() == object::elf::ELF_NOTE_GNU
                && note.n_type(endian) == object::elf::NT_GNU_BUILD_ID
            {
                return Some(note.desc().to_vec());
            }
        }
    }
    None
}
