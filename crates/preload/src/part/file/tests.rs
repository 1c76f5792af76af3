//! A part in a folder of its own, read as the process would have left it.

use std::fs;
use std::path::{Path, PathBuf};

use locktoll_recording::layout::{NO_OWNER, SiteRecord, ThreadRecord};
use locktoll_recording::reader;
use locktoll_recording::reader::Recording;
use tempfile::TempDir;

use super::*;

/// Returns a new part, its folder, and its file.
fn part() -> (Box<Part>, TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (part, file) = part_in(folder.path(), 0);
    (part, folder, file)
}

fn part_in(folder: &Path, sequence: u32) -> (Box<Part>, PathBuf) {
    // SAFETY: zeros are a part that has not been created.
    let part = unsafe { Box::<Part>::new_zeroed().assume_init() };
    let directory = folder.to_str().unwrap().as_bytes();
    part.create(directory, Origin::Fork, Mode::Exact).unwrap();
    let name = format!("{}-{sequence}.part", std::process::id());
    (part, folder.join(name))
}

fn read(file: &Path) -> reader::Part {
    let recording = Recording::from_bytes(&fs::read(file).unwrap()).unwrap();
    assert_eq!(recording.warnings, []);
    let [part] = <[reader::Part; 1]>::try_from(recording.parts).unwrap();
    part
}

/// Appends sites with the ids from `first` on, until one is refused or there are `count` of them.
fn append(part: &Part, segment: &mut Option<SegmentWriter<SiteRecord>>, first: u32, count: u32) {
    for id in first..first + count {
        let fill = |site: &SiteRecord| site.id.store(id, Relaxed);
        // SAFETY: P1: no other thread has the part.
        if unsafe { part.append(segment, NO_OWNER, 8, fill) }.is_none() {
            return;
        }
    }
}

#[test]
fn a_new_part_says_what_it_is_of() {
    let (part, folder, file) = part();
    assert_eq!(fs::metadata(&file).unwrap().len(), FIRST_WINDOW_BYTES);
    let process = read(&file).process;
    assert_eq!((process.pid, process.sequence), (std::process::id(), 0));
    assert_eq!(process.origin, Some(Origin::Fork));
    assert_eq!(process.mode, Some(Mode::Exact));
    assert_eq!(process.start_monotonic_ns, part.start_ns());
    let arguments: Vec<_> = std::env::args_os().collect();
    assert_eq!(process.command.arguments, arguments);
    assert_eq!((process.stopped, process.end_monotonic_ns), (None, None));
    // The next image of the same process.
    let (_, next) = part_in(folder.path(), 1);
    assert_eq!(read(&next).process.sequence, 1);
}

#[test]
fn records_are_appended_while_the_file_grows() {
    const MANY: u32 = 30_000;
    let (part, _folder, file) = part();
    let mut sites = None;
    append(&part, &mut sites, 1, MANY);
    let ids: Vec<u32> = read(&file).sites.iter().map(|site| site.id).collect();
    assert_eq!(ids, (1..=MANY).collect::<Vec<_>>());
    // Each segment is twice as long as the one before, up to a bound.
    assert_eq!(sites.unwrap().bytes(), SEGMENT_BYTES);
    let length = fs::metadata(&file).unwrap().len();
    assert!(length < 3 * u64::from(MANY) * 32, "{length}");
    assert_eq!(part.stopped_by(), None);
}

#[test]
fn a_segment_of_one_long_record_has_room_for_its_tail() {
    let (part, _folder, _) = part();
    // SAFETY: P1: no other thread has the part.
    let mut segment = unsafe { part.long_segment::<ThreadRecord>(NO_OWNER, 13) }.unwrap();
    let mut room = 0;
    let record = segment.append_with_tail(|_, tail| room = tail.len());
    assert_eq!((record.is_some(), room), (true, 16));
}

#[test]
fn room_that_was_reserved_needs_no_file() {
    let (part, _folder, file) = part();
    part.reserve();
    let length = fs::metadata(&file).unwrap().len();
    assert_eq!(length, FIRST_WINDOW_BYTES + RESERVE_BYTES);
    part.reserve();
    assert_eq!(fs::metadata(&file).unwrap().len(), length, "it is enough");
    let moved = file.with_extension("moved");
    fs::rename(&file, &moved).unwrap();
    let mut sites = None;
    append(&part, &mut sites, 1, 20_000);
    assert_eq!(
        (part.stopped_by(), read(&moved).sites.len()),
        (None, 20_000)
    );
}

#[test]
fn a_part_whose_file_has_gone_or_is_another_stops() {
    for (replaced, errno) in [(false, libc::ENOENT), (true, libc::ESTALE)] {
        let (part, _folder, file) = part();
        let moved = file.with_extension("moved");
        fs::rename(&file, &moved).unwrap();
        if replaced {
            fs::write(&file, "another").unwrap();
        }
        append(&part, &mut None, 1, 20_000);
        assert_eq!(part.stopped_by(), Some(errno));
        let stopped = read(&moved).process.stopped.unwrap();
        assert_eq!(stopped.reason, Some(StopReason::Unreachable));
        // It stays as it was stopped.
        part.stop(StopReason::NoSpace, Errno(libc::ENOSPC));
        assert_eq!(part.stopped_by(), Some(errno));
    }
}

#[test]
fn a_part_that_has_ended_says_when_and_what_was_used_and_dropped() {
    let (part, folder, file) = part();
    part.drop_one(DropReason::SiteTableFull);
    part.drop_one(DropReason::SiteTableFull);
    part.end();
    let found = read(&file);
    assert!(found.process.end_monotonic_ns.unwrap() >= part.start_ns());
    assert!(found.process.usage.is_some());
    assert_eq!(found.dropped.count(DropReason::SiteTableFull), 2);
    let (quiet, file) = part_in(folder.path(), 1);
    quiet.end_quietly();
    let process = read(&file).process;
    assert!(process.end_monotonic_ns.is_some() && process.usage.is_none());
}

#[test]
fn a_folder_that_is_not_there_is_refused() {
    // SAFETY: zeros are a part that has not been created.
    let part = unsafe { Box::<Part>::new_zeroed().assume_init() };
    let refused = part.create(b"/no/such/folder", Origin::Exec, Mode::Sampled);
    assert_eq!(refused, Err(Errno(libc::ENOENT)));
    assert!(part.header().is_none() && part.start_ns() == 0);
    assert_eq!(part.stopped_by(), None);
}
