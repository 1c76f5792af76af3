//! The guest's initial file system: this program as the first process, the small program that its build starts, and their
//! libraries.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use locktoll_terminal::system::files::open_regular;
use object::elf::{FileHeader64, PT_NULL};
use object::endian::Endianness;
use object::read::elf::{FileHeader, ProgramHeader};

use super::archive::Archive;
use super::libraries::libraries;
use crate::demo;

/// The initial file system.
pub struct Image {
    /// The archive.
    pub archive: Vec<u8>,
    /// The folders of the libraries, separated by colons: for LD_LIBRARY_PATH, since the guest has no list of libraries.
    pub library_path: String,
}

/// Folders in which the guest's first process mounts something, or the build writes.
const FOLDERS: [&str; 4] = ["/proc", "/sys", "/dev", "/tmp"];

/// Makes the file system.
///
/// # Errors
/// If a file cannot be read, or a library is missing.
pub fn image() -> Result<Image, String> {
    let own = std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
    let small = demo::small_program().ok_or("the program 'true' is not on the PATH")?;
    let mut archive = Archive::default();
    for folder in FOLDERS {
        archive.folder(folder);
    }
    let mut needed = BTreeSet::new();
    for (path, place) in [(own.as_path(), "/init"), (small.as_path(), "/bin/true")] {
        let bytes = read(path)?;
        needed.extend(libraries(path, &bytes)?);
        archive.program(place, loaded_part(&bytes).as_ref());
    }
    let mut folders = BTreeSet::new();
    for library in &needed {
        archive.program(library, &loaded_part(&read(Path::new(library))?));
        folders.extend(
            library
                .rsplit_once('/')
                .map(|(folder, _)| folder.to_owned()),
        );
    }
    Ok(Image {
        archive: archive.finish(),
        library_path: Vec::from_iter(folders).join(":"),
    })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = open_regular(path).and_then(|mut file| file.read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
    }
}

/// Offsets and lengths of the fields of an ELF header that describe sections.
const SECTIONS_OFFSET: std::ops::Range<usize> = 0x28..0x30;
const SECTIONS_NUMBERS: std::ops::Range<usize> = 0x3c..0x40;

/// Returns an ELF file without what is behind its last segment: sections for debuggers, which can be larger than the rest. A file
/// that is not ELF stays as it is.
fn loaded_part(bytes: &[u8]) -> Vec<u8> {
    let end = || {
        let header = FileHeader64::<Endianness>::parse(bytes).ok()?;
        let endian = header.endian().ok()?;
        let segments = header.program_headers(endian, bytes).ok()?;
        let ends = (segments.iter())
            .filter(|segment| segment.p_type(endian) != PT_NULL)
            .map(|segment| {
                segment
                    .p_offset(endian)
                    .saturating_add(segment.p_filesz(endian))
            });
        usize::try_from(ends.max()?).ok()
    };
    let Some(end) = end().filter(|end| (SECTIONS_NUMBERS.end..bytes.len()).contains(end)) else {
        return bytes.to_vec();
    };
    let mut loaded = bytes[..end].to_vec();
    loaded[SECTIONS_OFFSET].fill(0);
    loaded[SECTIONS_NUMBERS].fill(0);
    loaded
}

// Where another processor is emulated, a program is not started by its name alone.
#[cfg(target_arch = "x86_64")]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_program_without_its_sections_runs() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let loaded = loaded_part(&own);
        assert!(loaded.len() < own.len());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program");
        std::fs::write(&file, &loaded).unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
        let listed = Command::new(&file).arg("--list").output().unwrap();
        assert!(listed.status.success());
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert!(listed.contains("a_program_without_its_sections_runs"));
        assert_eq!(loaded_part(b"#!/bin/sh\n"), b"#!/bin/sh\n");
    }

    #[test]
    fn the_image_has_both_programs_and_their_libraries() {
        let image = image().unwrap();
        assert!(
            image.library_path.starts_with('/'),
            "{}",
            image.library_path
        );
        let contains = |name: &str| {
            let name = format!("{name}\0");
            image
                .archive
                .windows(name.len())
                .any(|it| it == name.as_bytes())
        };
        assert!(contains("init") && contains("bin/true") && contains("TRAILER!!!"));
        assert!(contains("libc.so.6"));
    }
}
