//! The facts in an ELF file that decide how it must be run. Only headers are read.

use std::fs::File;

use object::elf::{self, FileHeader64};
use object::endian::Endianness;
use object::read::ReadCache;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};

use super::runtime::{Runtime, Traces};

/// The machine for which this program was built, as ELF numbers it.
const OWN_MACHINE: u16 = if cfg!(target_arch = "x86_64") {
    elf::EM_X86_64.0
} else if cfg!(target_arch = "aarch64") {
    elf::EM_AARCH64.0
} else {
    elf::EM_NONE.0
};

/// A loader's path is longer than this only in a damaged file.
const LOADER_LIMIT: usize = 4096;

/// How the kernel and the loader would run a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Image {
    /// Not an ELF file.
    NotElf,
    /// An ELF file that cannot be understood.
    Damaged,
    /// Built for another word size, byte order or processor, which is named.
    Foreign(String),
    /// Without a loader: nothing can be preloaded.
    Static {
        /// The kind of locks that it probably uses.
        runtime: Runtime,
    },
    /// Loaded by the dynamic loader at this path.
    Dynamic {
        /// The path in `PT_INTERP`.
        loader: String,
        /// Names of the libraries that it asks for (`DT_NEEDED`).
        needed: Vec<String>,
        /// The kind of locks that it probably uses.
        runtime: Runtime,
        /// Whether it calls `ThreadSanitizer`, linked in or not.
        thread_sanitizer: bool,
    },
}

/// Reads the headers of `file`, whose first bytes are `head`.
pub fn image(file: &File, head: &[u8]) -> Image {
    if !head.starts_with(&elf::ELFMAG) {
        return Image::NotElf;
    }
    match head.get(4..6) {
        Some([1, _]) => return Image::Foreign("32-bit".to_owned()),
        Some([2, 1]) => {}
        Some([2, 2]) => return Image::Foreign("big-endian".to_owned()),
        _ => return Image::Damaged,
    }
    dynamic(file).unwrap_or(Image::Damaged)
}

fn dynamic(file: &File) -> object::Result<Image> {
    let data = &ReadCache::new(file);
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let machine = header.e_machine(endian);
    if machine.0 != OWN_MACHINE {
        return Ok(Image::Foreign(machine_name(machine)));
    }

    let segments = header.program_headers(endian, data)?;
    let mut loader = None;
    for segment in segments {
        if let Some(path) = segment.interpreter(endian, data)? {
            loader = Some(String::from_utf8_lossy(&path[..path.len().min(LOADER_LIMIT)]).into());
        }
    }
    // Sections are a convenience of linkers: a file without them runs all the same.
    let mut needed = Vec::new();
    let mut traces = Traces::default();
    if let Ok(sections) = header.sections(endian, data) {
        for section in sections.iter() {
            let name = sections.section_name(endian, section).unwrap_or_default();
            traces.section(
                name,
                file,
                section.sh_offset(endian),
                section.sh_size(endian),
            );
            if let Ok(Some(table)) = section.dynamic_table(endian, data, &sections) {
                needed.extend(table.iter().filter_map(|entry| {
                    let name =
                        (entry.tag == elf::DT_NEEDED).then(|| table.string(entry).ok())??;
                    Some(String::from_utf8_lossy(name).into_owned())
                }));
            }
        }
    }
    Ok(match loader {
        Some(loader) => Image::Dynamic {
            loader,
            needed,
            runtime: traces.runtime(),
            thread_sanitizer: traces.thread_sanitizer(),
        },
        None => Image::Static {
            runtime: traces.runtime(),
        },
    })
}

fn machine_name(machine: elf::Machine) -> String {
    match machine {
        elf::EM_X86_64 => "x86-64".to_owned(),
        elf::EM_AARCH64 => "aarch64".to_owned(),
        elf::EM_RISCV => "RISC-V".to_owned(),
        elf::EM_PPC64 => "64-bit PowerPC".to_owned(),
        elf::EM_S390 => "s390".to_owned(),
        other => format!("another processor (ELF machine {})", other.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn of(bytes: &[u8]) -> Image {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        image(&file, &bytes[..bytes.len().min(256)])
    }

    fn own() -> Vec<u8> {
        std::fs::read("/proc/self/exe").unwrap()
    }

    #[test]
    fn this_test_is_dynamically_linked() {
        let Image::Dynamic {
            loader,
            needed,
            runtime,
            thread_sanitizer,
        } = of(&own())
        else {
            panic!("not seen as dynamic");
        };
        assert!(loader.contains("/ld-linux"), "{loader}");
        assert!(needed.iter().any(|name| name.starts_with("libc.so")));
        assert_ne!(runtime, Runtime::Go);
        assert_ne!(runtime, Runtime::Other);
        assert!(!thread_sanitizer);
    }

    #[test]
    fn a_changed_header_is_seen() {
        let mut other = own();
        other[18] = 8; // e_machine: MIPS
        other[19] = 0;
        assert!(matches!(of(&other), Image::Foreign(_)));
        let mut narrow = own();
        narrow[4] = 1;
        assert_eq!(of(&narrow), Image::Foreign("32-bit".to_owned()));
        let mut no_segments = own();
        no_segments[56] = 0; // e_phnum
        no_segments[57] = 0;
        assert!(matches!(of(&no_segments), Image::Static { .. }));
    }

    #[test]
    fn damage_is_never_a_panic() {
        let whole = own();
        for length in (0..4096).step_by(7) {
            of(&whole[..length]);
        }
        assert_eq!(of(b"#!/bin/sh\n"), Image::NotElf);
        assert_eq!(of(b"\x7fELF"), Image::Damaged);
        assert_eq!(of(&whole[..100]), Image::Damaged);
        for position in 0..64 {
            for value in [0, 0x7f, 0xff] {
                let mut damaged = whole[..8192].to_vec();
                damaged[position] = value;
                of(&damaged);
            }
        }
    }
}
