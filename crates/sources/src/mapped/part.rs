//! The file into which a process records, found among its mappings.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::open;
use super::{Mapping, mappings};
use locktoll_terminal::system::files::text_of_process;

/// Parts of the name of a mapped file into which a process records: `OUTPUT.parts-PID/PID-SEQUENCE.part`.
const FOLDER: &[u8] = b".parts-";
const FILE: &str = "part";

/// Opens the file into which a process records; `None` if there is none, or if it may not be read.
///
/// It stays readable once it is open, even after `locktoll record` has removed its name.
pub fn part_of(pid: u32) -> Option<File> {
    part_and_path_of(pid).map(|(file, _)| file)
}

/// Does the same, and returns the path under which the process mapped it: the process's own view of the file system.
pub fn part_and_path_of(pid: u32) -> Option<(File, PathBuf)> {
    let own = innermost_number(pid)?;
    let part = last_part(mappings(pid).ok()?, own)?;
    Some((open(pid, &part).ok()?, part.path))
}

/// Returns the id by which the process knows itself: the one in the innermost of its pid namespaces.
pub fn innermost_number(pid: u32) -> Option<u32> {
    let status = text_of_process(pid, "status").ok()?;
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
    match numbers {
        Some(numbers) => numbers.split_ascii_whitespace().next_back()?.parse().ok(),
        None => Some(pid),
    }
}

/// Finds the part of the process with this id among its mappings. Right after a fork, the parent's part is still mapped.
fn last_part(all: Vec<Mapping>, own: u32) -> Option<Mapping> {
    let own = format!("{own}-");
    let of_us = |path: &Path| {
        path.extension() == Some(OsStr::new(FILE))
            && path
                .file_name()
                .is_some_and(|name| name.as_bytes().starts_with(own.as_bytes()))
            && path.parent().and_then(Path::file_name).is_some_and(|name| {
                name.as_bytes()
                    .windows(FOLDER.len())
                    .any(|part| part == FOLDER)
            })
    };
    let mut parts = all.into_iter();
    parts.rfind(|it| it.shared && !it.deleted && of_us(&it.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
55d0-55d1 r--p 00000000 fe:00 12 /usr/bin/cat\n\
7f00-7f20 rw-s 00000000 fe:00 99 /tmp/a b/out.locktoll.parts-17/4242-0.part\n\
7f20-7f40 rw-s 00020000 fe:00 99 /tmp/a b/out.locktoll.parts-17/4242-0.part\n\
7f40-7f60 rw-p 00000000 00:00 0 \n\
7f60-7f80 r--p 00000000 fe:00 7 /tmp/x.parts-1/4242-9.part\n\
7f80-7fa0 rw-s 00000000 fe:00 8 /tmp/notes.part\n\
7ffd-7ffe r-xp 00000000 00:00 0 [vdso]\n";

    fn path_of_last(maps: &[u8], own: u32) -> Option<PathBuf> {
        last_part(Mapping::all(maps), own).map(|it| it.path)
    }

    #[test]
    fn the_shared_part_of_the_process_itself_is_found() {
        let path = path_of_last(MAPS.as_bytes(), 4242).unwrap();
        assert_eq!(
            path,
            Path::new("/tmp/a b/out.locktoll.parts-17/4242-0.part")
        );
        assert_eq!(path_of_last(MAPS.as_bytes(), 424), None);
        assert_eq!(path_of_last(MAPS.as_bytes(), 4243), None);
        assert_eq!(path_of_last(b"", 1), None);
    }

    #[test]
    fn a_name_with_an_end_of_line_reads_back() {
        let maps = b"1-2 rw-s 0 0:0 1 /a\\012b.parts-1/7-0.part\n";
        let path = path_of_last(maps, 7).unwrap();
        assert_eq!(path, Path::new("/a\nb.parts-1/7-0.part"));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_a_path_or_nothing(maps in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            let _ = path_of_last(&maps, 1);
        }
    }
}
