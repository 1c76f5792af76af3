//! Which file a process records into: it is among those that it maps.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use locktoll_sources::futexes::Mapping;

/// What a mapped file is called that a process records into: `OUTPUT.parts-PID/PID-SEQUENCE.part`.
const FOLDER: &[u8] = b".parts-";
const FILE: &str = "part";

/// The file that a process records into, opened; `None` if there is none, or it may not be read.
///
/// It stays readable once it is open, even when `locktoll record` has taken its name away.
pub fn part_of(pid: u32) -> Option<File> {
    let maps = std::fs::read(format!("/proc/{pid}/maps")).ok()?;
    let own = own_number(pid)?;
    let path = last_part(&maps, own)?;
    // In the process's own view of the file system, should it be another than ours.
    let mut there = PathBuf::from(format!("/proc/{pid}/root"));
    there.push(path.strip_prefix("/").ok()?);
    File::open(there).or_else(|_| File::open(path)).ok()
}

/// The number by which the process knows itself: the innermost of its process id namespaces.
fn own_number(pid: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
    match numbers {
        Some(numbers) => numbers.split_ascii_whitespace().next_back()?.parse().ok(),
        None => Some(pid),
    }
}

/// The part of the process with this number in `/proc/PID/maps` (proc_pid_maps(5)). Right after a fork, that of the parent is mapped still.
fn last_part(maps: &[u8], own: u32) -> Option<PathBuf> {
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
    let parts = Mapping::all(maps).into_iter();
    parts
        .filter(|it| it.shared && !it.deleted && of_us(&it.path))
        .map(|it| it.path)
        .next_back()
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

    #[test]
    fn the_shared_part_of_the_process_itself_is_found() {
        let path = last_part(MAPS.as_bytes(), 4242).unwrap();
        assert_eq!(
            path,
            Path::new("/tmp/a b/out.locktoll.parts-17/4242-0.part")
        );
        assert_eq!(last_part(MAPS.as_bytes(), 424), None);
        assert_eq!(last_part(MAPS.as_bytes(), 4243), None);
        assert_eq!(last_part(b"", 1), None);
    }

    #[test]
    fn a_name_with_an_end_of_line_reads_back() {
        let maps = b"1-2 rw-s 0 0:0 1 /a\\012b.parts-1/7-0.part\n";
        let path = last_part(maps, 7).unwrap();
        assert_eq!(path, Path::new("/a\nb.parts-1/7-0.part"));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_a_path_or_nothing(maps in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            let _ = last_part(&maps, 1);
        }
    }
}
