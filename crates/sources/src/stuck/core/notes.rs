//! The notes of a core file (core(5), linux/elfcore.h).

use object::elf::FileHeader64;
use object::endian::LittleEndian;
use object::read::elf::{Note, NoteIterator};

use super::super::registers::Registers;

const NT_PRSTATUS: u32 = 1;
const NT_PRPSINFO: u32 = 3;
/// "FILE" in ASCII.
const NT_FILE: u32 = 0x4649_4c45;

/// What the notes say.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The threads, the one that was at fault first.
    pub threads: Vec<(u32, Registers)>,
    /// The process id and the short name.
    pub process: Option<(u32, String)>,
    /// The arguments, as far as the kernel keeps them (80 bytes).
    pub arguments: String,
    /// The mapped files.
    pub files: Vec<MappedAt>,
}

/// A mapped file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedAt {
    /// First address.
    pub start: u64,
    /// The address after the last.
    pub end: u64,
    /// Where it begins in the file.
    pub offset: u64,
    /// The path, as the process had it.
    pub path: String,
}

/// The most threads, and the most mapped files, that are believed.
const MOST: usize = 200_000;

impl Notes {
    /// Reads the notes of a segment.
    pub fn add(&mut self, notes: &mut NoteIterator<'_, FileHeader64<LittleEndian>>, is_arm: bool) {
        while let Ok(Some(note)) = notes.next() {
            self.take(&note, is_arm);
        }
    }

    fn take(&mut self, note: &Note<'_, FileHeader64<LittleEndian>>, is_arm: bool) {
        if note.name() != b"CORE" {
            return;
        }
        let bytes = note.desc();
        match note.n_type(LittleEndian).0 {
            NT_PRSTATUS if self.threads.len() < MOST => {
                self.threads.extend(thread(bytes, is_arm));
            }
            NT_PRPSINFO => self.process_of(bytes),
            NT_FILE => self.files = files(bytes).unwrap_or_default(),
            _ => {}
        }
    }

    /// `struct elf_prpsinfo`: the process id at 24, the name at 40, the arguments at 56.
    fn process_of(&mut self, bytes: &[u8]) {
        let text = |from: usize, length: usize| {
            let bytes = bytes.get(from..from + length).unwrap_or_default();
            let end = bytes
                .iter()
                .position(|&byte| byte == 0)
                .unwrap_or(bytes.len());
            String::from_utf8_lossy(&bytes[..end]).trim_end().to_owned()
        };
        if let Some(pid) = number32(bytes, 24) {
            self.process = Some((pid, text(40, 16)));
            self.arguments = text(56, 80);
        }
    }
}

/// `struct elf_prstatus`: the thread id at 32, the registers from 112 on.
fn thread(bytes: &[u8], is_arm: bool) -> Option<(u32, Registers)> {
    let (words, _) = bytes.get(112..)?.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let registers = match is_arm {
        true => Registers::of_aarch64(&words),
        false => Registers::of_x86_64(&words),
    };
    Some((number32(bytes, 32)?, registers?))
}

/// `NT_FILE`: the number of files, the page size, three numbers for each, then their names.
fn files(bytes: &[u8]) -> Option<Vec<MappedAt>> {
    let count = usize::try_from(number64(bytes, 0)?).ok()?;
    let page = number64(bytes, 8)?;
    if count > MOST {
        return None;
    }
    let mut names = bytes
        .get(16 + count.checked_mul(24)?..)?
        .split(|&byte| byte == 0);
    (0..count)
        .map(|at| {
            let number = |which: usize| number64(bytes, 16 + at * 24 + which * 8);
            Some(MappedAt {
                start: number(0)?,
                end: number(1)?,
                offset: number(2)?.checked_mul(page)?,
                path: String::from_utf8_lossy(names.next()?).into_owned(),
            })
        })
        .collect()
}

fn number32(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn number64(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_files_have_their_names() {
        let mut bytes = Vec::new();
        for number in [2_u64, 4096, 0x1000, 0x3000, 1, 0x5000, 0x6000, 0] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(b"/lib/a\0/lib/b\0");
        let found = files(&bytes).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].offset, found[0].path.as_str()), (4096, "/lib/a"));
        assert_eq!((found[1].start, found[1].path.as_str()), (0x5000, "/lib/b"));
        assert_eq!(files(&bytes[..40]), None);
        bytes[0] = 0xff;
        assert_eq!(files(&bytes), None, "there are not so many");
    }

    #[test]
    fn a_thread_has_its_number_and_registers() {
        let mut bytes = vec![0; 112];
        bytes[32..36].copy_from_slice(&77_u32.to_le_bytes());
        for word in 200..227_u64 {
            bytes.extend(word.to_le_bytes());
        }
        let (tid, registers) = thread(&bytes, false).unwrap();
        assert_eq!((tid, registers.ip, registers.sp), (77, 216, 219));
        assert_eq!(thread(&bytes[..200], false), None);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_notes_or_nothing(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..400)) {
            let _ = (files(&bytes), thread(&bytes, false), thread(&bytes, true));
            Notes::default().process_of(&bytes);
        }
    }
}
