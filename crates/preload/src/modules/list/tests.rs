//! Files that are mapped, unmapped and mapped again while others of this test program's come and go.

use std::ffi::CStr;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::null_mut;
use std::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{Mode, Origin};
use tempfile::TempDir;

use super::*;

const PAGE: usize = 4096;

/// Modules without any, a part for their records, and its folder.
fn fixture() -> (Box<Modules>, Box<Part>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    // SAFETY: zeros are valid values of both.
    let (modules, part) = unsafe {
        let modules = Box::<Modules>::new_zeroed().assume_init();
        (modules, Box::<Part>::new_zeroed().assume_init())
    };
    let directory = folder.path().to_str().unwrap().as_bytes();
    part.create(directory, Origin::Exec, Mode::Sampled).unwrap();
    (modules, part, folder)
}

/// Returns a file of eight pages.
fn file(name: &CStr) -> OwnedFd {
    // SAFETY: the name ends with a zero byte, and nobody else has the descriptor.
    let file = unsafe { OwnedFd::from_raw_fd(libc::memfd_create(name.as_ptr(), 0)) };
    // SAFETY: a call without pointers.
    let resized = unsafe { libc::ftruncate(file.as_raw_fd(), 8 * PAGE as i64) };
    assert_eq!(resized, 0);
    file
}

/// Reserved addresses, so that nobody else maps anything there.
struct Room(usize);

impl Room {
    const PAGES: usize = 8;

    fn new() -> Self {
        Self(map(null_mut(), Self::PAGES, libc::PROT_NONE, None, 0))
    }

    fn page(&self, number: usize) -> usize {
        self.0 + number * PAGE
    }

    /// Maps code of `file` from page `first` on, which is the page `from` of the file.
    fn fill(&self, first: usize, pages: usize, file: &OwnedFd, from: usize) {
        let code = libc::PROT_READ | libc::PROT_EXEC;
        map(self.page(first) as *mut _, pages, code, Some(file), from);
    }

    fn clear(&self, first: usize, pages: usize) {
        map(self.page(first) as *mut _, pages, libc::PROT_NONE, None, 0);
    }
}

fn map(
    at: *mut libc::c_void,
    pages: usize,
    access: i32,
    file: Option<&OwnedFd>,
    from: usize,
) -> usize {
    let mut flags = libc::MAP_PRIVATE;
    flags |= if at.is_null() { 0 } else { libc::MAP_FIXED };
    flags |= if file.is_some() {
        0
    } else {
        libc::MAP_ANONYMOUS
    };
    let (file, from) = (file.map_or(-1, |it| it.as_raw_fd()), (from * PAGE) as i64);
    // SAFETY: fixed addresses are those of a `Room`, into which nobody has a reference.
    let memory = unsafe { libc::mmap(at, pages * PAGE, access, flags, file, from) };
    assert_ne!(memory, libc::MAP_FAILED);
    memory as usize
}

/// Reads the mappings, and returns the module and the offset of the code at `address`.
fn found(modules: &Modules, part: &Part, address: usize) -> Option<(u32, u64)> {
    modules.in_vain.set(0);
    // SAFETY: M1: no other thread has them.
    unsafe { modules.look_again(part) };
    let place = modules.find(address as u64)?;
    Some((place.module, place.file_offset))
}

/// Returns the code in `room` that is no longer mapped.
fn gone(modules: &Modules, room: &Room) -> Vec<(usize, usize)> {
    let of_room = room.0..room.page(Room::PAGES);
    let mut gone = Vec::new();
    // SAFETY: M1: no other thread has them.
    unsafe { modules.forget_gone(|range| gone.push((range.start, range.end))) };
    gone.retain(|(start, _)| of_room.contains(start));
    gone
}

#[test]
fn an_address_is_at_an_offset_in_the_file_that_is_mapped_there() {
    let (modules, part, _folder) = fixture();
    // SAFETY: M1: no other thread has them.
    unsafe { modules.start(&part) };
    let place = |address: usize| {
        // SAFETY: as above.
        let place = unsafe { modules.locate(address, &part) };
        (place.module, place.file_offset)
    };
    let (own, _) = place(fixture as *const () as usize);
    assert_ne!(own, 0);
    let (file, room) = (file(c"code"), Room::new());
    room.fill(1, 2, &file, 3);
    let (first, end) = (room.page(1), room.page(3));
    let (module, offset) = place(first);
    assert!(module > own && offset == 3 * PAGE as u64);
    assert_eq!(place(end - 1), (module, 5 * PAGE as u64 - 1));
    for nowhere in [first - 1, end, &raw const modules as usize, 0] {
        assert_eq!(place(nowhere), (0, 0), "{nowhere:#x}");
    }
    assert!(modules.tables.find(first).is_some());
}

#[test]
fn a_file_that_comes_back_is_the_module_that_it_was() {
    let (modules, part, _folder) = fixture();
    let (one, other, room) = (file(c"one"), file(c"other"), Room::new());
    let (first, found) = (room.page(1), |address| found(&modules, &part, address));
    room.fill(1, 2, &one, 0);
    let here = found(first).unwrap();
    assert!(gone(&modules, &room).is_empty(), "it is still there");
    room.clear(1, 2);
    assert_eq!(gone(&modules, &room), [(first, room.page(3))]);
    assert!(gone(&modules, &room).is_empty(), "it went before");
    assert!(found(first).is_none() && modules.tables.find(first).is_none());
    room.fill(1, 2, &one, 0);
    assert_eq!(found(first), Some(here));
    // Another one in its place, of which nobody has said that it has gone.
    room.clear(1, 2);
    room.fill(2, 2, &other, 0);
    let there = found(room.page(2)).unwrap();
    assert!(there.0 > here.0 && there.1 == 0);
    assert!(found(first).is_none());
    // A file that is mapped as data has no code there any more.
    let data = libc::PROT_READ;
    map(room.page(2) as *mut _, 2, data, Some(&other), 0);
    assert_eq!(gone(&modules, &room), [(room.page(2), room.page(4))]);
}

#[test]
fn code_stays_where_it_is_when_others_come_next_to_it() {
    let (modules, part, _folder) = fixture();
    let (one, below, above) = (file(c"one"), file(c"below"), file(c"above"));
    let room = Room::new();
    room.fill(2, 2, &one, 0);
    let here = found(&modules, &part, room.page(2)).unwrap();
    room.fill(0, 2, &below, 0);
    room.fill(4, 2, &above, 0);
    assert_eq!(found(&modules, &part, room.page(2)), Some(here));
    let others = [room.page(1), room.page(4)].map(|it| modules.find(it as u64).unwrap());
    assert!(others[0].module > here.0 && others[1].module > others[0].module);
    assert!(gone(&modules, &room).is_empty());
}

#[test]
fn after_many_readings_in_vain_the_mappings_are_seldom_read() {
    for (in_vain, is_read) in [
        (0, true),
        (PATIENCE - 1, true),
        (PATIENCE, true),
        (PATIENCE + 1, false),
        (2 * PATIENCE - 1, false),
        (2 * PATIENCE, true),
        (2 * PATIENCE + 1, false),
        (u32::MAX, false),
    ] {
        let (modules, part, _folder) = fixture();
        let (file, room) = (file(c"code"), Room::new());
        room.fill(1, 1, &file, 0);
        modules.in_vain.set(in_vain);
        // SAFETY: M1: no other thread has them.
        unsafe { modules.look_again(&part) };
        assert_eq!(modules.find(room.page(1) as u64).is_some(), is_read);
        // Once something was found, it is worth while to look again.
        let expected = if is_read { 0 } else { in_vain.wrapping_add(1) };
        assert_eq!(modules.in_vain.get(), expected, "{in_vain}");
    }
}

#[test]
fn code_for_which_there_is_no_room_is_dropped() {
    let (modules, part, _folder) = fixture();
    modules.code_ranges.set(CODE_RANGES - 1);
    // SAFETY: M1: no other thread has them.
    unsafe { modules.start(&part) };
    assert_eq!(modules.code_ranges.get(), CODE_RANGES);
    let reason = usize::from(DropReason::ModuleTableFull.number());
    let dropped = part.header().unwrap().dropped[reason].load(Relaxed);
    // This program has files of its own, and the C library.
    assert!(dropped > 0);
    let (file, room) = (file(c"code"), Room::new());
    room.fill(1, 1, &file, 0);
    assert_eq!(found(&modules, &part, room.page(1)), None);
}
