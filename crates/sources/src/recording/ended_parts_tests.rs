//! Folders of parts that no process writes to.

use std::sync::atomic::Ordering::Relaxed;

use super::*;
use crate::recording::part_files;

use locktoll_recording::layout::{BirthRecord, NO_OWNER};

use super::super::join_tests::builder::Builder;

/// A process id that no process can have.
const NOBODY: u32 = 0x7fff_ff00;

fn write(folder: &Path, pid: u32) {
    write_part(folder, pid, Builder::new(pid, b"server\0"));
}

fn write_part(folder: &Path, pid: u32, part: Builder) {
    fs::write(folder.join(format!("{pid}-0.part")), part.bytes()).unwrap();
}

/// Parts are added up at the look after the first one at which their processes have ended.
fn added_up(parts: &mut EndedParts, least: usize) -> usize {
    let first = parts.add_up(least).unwrap();
    first + parts.add_up(least).unwrap()
}

fn numbers(folder: &Path) -> Vec<(u32, Option<u64>)> {
    let files = part_files(folder).unwrap().into_iter();
    files
        .map(|it| (it.process.pid, it.process.added_up))
        .collect()
}

#[test]
fn parts_are_added_up_once_there_are_enough_of_them() {
    let folder = tempfile::tempdir().unwrap();
    // The program comes first, since it began first or has the lowest number.
    for pid in NOBODY..NOBODY + 5 {
        write(folder.path(), pid);
    }
    let mut parts = EndedParts::new(folder.path());
    assert_eq!(added_up(&mut parts, 6), 0);
    assert_eq!(numbers(folder.path()).len(), 5);
    assert_eq!(added_up(&mut parts, 5), 4);
    let mut now = numbers(folder.path());
    now.sort_unstable();
    assert_eq!(now, [(0, Some(4)), (NOBODY, None)]);
    // None have come since.
    assert_eq!(added_up(&mut parts, 2), 0);
    write(folder.path(), NOBODY + 5);
    write(folder.path(), NOBODY + 6);
    assert_eq!(added_up(&mut parts, 2), 2);
    let mut now = numbers(folder.path());
    now.sort_unstable();
    assert_eq!(now, [(0, Some(6)), (NOBODY, None)]);
    let entries = fs::read_dir(folder.path()).unwrap();
    assert_eq!(entries.count(), 2, "the program's part, and the sums");
}

#[test]
fn a_crash_before_the_sums_are_there_loses_nothing_and_one_after_that_counts_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    for pid in NOBODY..NOBODY + 3 {
        write(folder.path(), pid);
    }
    let moved = folder.path().join("ended-1");
    fs::create_dir(&moved).unwrap();
    write(&moved, NOBODY + 3);
    fs::create_dir(folder.path().join("unfinished")).unwrap();
    assert_eq!(numbers(folder.path()).len(), 4);
    let mut parts = EndedParts::new(folder.path());
    assert_eq!(added_up(&mut parts, 0), 2);
    // What would still be there if it had been killed before the last step.
    fs::create_dir(&moved).unwrap();
    write(&moved, NOBODY + 3);
    let mut now = numbers(folder.path());
    now.sort_unstable();
    assert_eq!(now, [(0, Some(3)), (NOBODY, None)]);
}

#[test]
fn a_part_stays_while_it_is_read_while_its_process_runs_and_while_another_needs_it() {
    let folder = tempfile::tempdir().unwrap();
    for pid in NOBODY..NOBODY + 3 {
        write(folder.path(), pid);
    }
    // A process that runs, and was forked from one that has ended.
    let own = std::process::id();
    let mut forked = Builder::new(own, b"server\0");
    let header = forked.header();
    header.start_monotonic_ns.store(3_000, Relaxed);
    header.origin.store(Origin::Fork.number(), Relaxed);
    header.parent_pid.store(NOBODY + 1, Relaxed);
    write_part(folder.path(), own, forked);
    let mut parts = EndedParts::new(folder.path());
    let reader = Steady::shared(folder.path());
    assert_eq!(added_up(&mut parts, 0), 0);
    drop(reader);
    assert_eq!(added_up(&mut parts, 0), 1);
    let mut now = numbers(folder.path());
    now.sort_unstable();
    let mut expected = [
        (0, Some(1)),
        (own, None),
        (NOBODY, None),
        (NOBODY + 1, None),
    ];
    expected.sort_unstable();
    assert_eq!(now, expected);
}

/// A part of the program `path`, of an image with this number of a process.
fn write_image(folder: &Path, sequence: u32, path: &[u8]) {
    let mut image = Builder::new(NOBODY + 1, b"server\0");
    image.module(1, path);
    let header = image.header();
    header.sequence.store(sequence, Relaxed);
    let start_ns = 3_000 + 100 * u64::from(sequence);
    header.start_monotonic_ns.store(start_ns, Relaxed);
    let name = format!("{}-{sequence}.part", NOBODY + 1);
    fs::write(folder.join(name), image.bytes()).unwrap();
}

#[test]
fn a_process_that_begins_its_program_again_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), NOBODY);
    for (sequence, path) in [
        (0, b"/bin/a"),
        (1, b"/bin/b"),
        (2, b"/bin/a"),
        (3, b"/bin/a"),
    ] {
        write_image(folder.path(), sequence, path);
    }
    // A process whose parent has the last image: that stays for now.
    let own = std::process::id();
    let mut forked = Builder::new(own, b"server\0");
    let header = forked.header();
    header.start_monotonic_ns.store(9_000, Relaxed);
    forked.one(NO_OWNER, |birth: &BirthRecord| {
        birth.id.store(1, Relaxed);
        birth.ancestor_pid.store(NOBODY + 1, Relaxed);
        birth.ancestor_sequence.store(3, Relaxed);
        birth.ancestor_birth.store(1, Relaxed);
    });
    write_part(folder.path(), own, forked);
    let mut parts = EndedParts::new(folder.path());
    assert_eq!(added_up(&mut parts, 0), 3);
    let sums = || {
        let all = numbers(folder.path()).into_iter();
        all.filter_map(|(_, added_up)| added_up).collect::<Vec<_>>()
    };
    assert_eq!(sums(), [1, 1]);
    fs::remove_file(folder.path().join(format!("{own}-0.part"))).unwrap();
    assert_eq!(added_up(&mut parts, 0), 1);
    assert_eq!(sums(), [1, 1]);
}
