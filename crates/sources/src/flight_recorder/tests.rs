//! Parts in a folder, written further while they are watched.

use std::cell::Cell;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use locktoll_recording::layout::{
    EventKind, EventWords, LockKind, PAGE_BYTES, SEGMENT_HEADER_BYTES, event_flags,
};
use locktoll_recording::reader::{EventRun, Source};
use locktoll_recording::writer::end_part;

use super::process::Process;
use super::trigger::Trigger;
use super::watch::FlightRecorder;
use crate::clock::now_ns;
use crate::recording::join_tests::builder::{Builder, store};

const MS: u64 = 1_000_000;
const MUTEX: LockKind = LockKind::Mutex;

fn event(kind: EventKind, lock: LockKind, times: [u64; 2]) -> EventWords {
    EventWords::new(kind, (lock, 64, 1), 0, times, 0)
}

/// A wait of 60 ms that ended `ago_ns` ago.
fn long_wait(lock: LockKind, ago_ns: u64) -> [EventWords; 2] {
    let end_ns = now_ns() - ago_ns;
    let wait = event(EventKind::Wait, lock, [end_ns - 60 * MS, end_ns]);
    [wait, EventWords::detail(0, 0, 0, 0)]
}

fn open_hold(begin: u64) -> EventWords {
    event(EventKind::TimedHold, MUTEX, [begin, 0])
}

fn trigger(room_events: u64, around_ns: u64) -> Trigger {
    Trigger {
        longer_than_ns: 50 * MS,
        around_ns,
        room_bytes: room_events * 32,
    }
}

/// A folder with parts, whose one thread has a ring for 100 events or so.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes what the process has after all these events.
    fn write(&self, pid: u32, events: &[EventWords], end_ns: u64) -> PathBuf {
        self.write_image((pid, 0), events, end_ns)
    }

    fn write_image(
        &self,
        (pid, sequence): (u32, u32),
        events: &[EventWords],
        end_ns: u64,
    ) -> PathBuf {
        let mut part = Builder::new(pid, b"./server\0");
        store!(part.header(), sequence = sequence);
        if end_ns > 0 {
            end_part(part.header(), end_ns);
        }
        part.ring(1, 100, events);
        let path = self.path().join(format!("{pid}-{sequence}.part"));
        std::fs::write(&path, part.bytes()).unwrap();
        path
    }
}

/// A process id that no process here has.
const NOBODY: u32 = u32::MAX - 7;

fn numbers(copies: &[EventRun]) -> Vec<(u64, usize)> {
    copies
        .iter()
        .map(|it| (it.first, it.events.len()))
        .collect()
}

#[test]
fn a_hold_that_lasts_at_a_copy_has_its_end_though_the_ring_forgets_it() {
    let folder = Folder::new();
    let mut flight = FlightRecorder::new(folder.path(), trigger(10_000, 0));
    let mut events = vec![open_hold(500)];
    events.extend(long_wait(MUTEX, 0));
    let path = folder.write(NOBODY, &events, 0);
    flight.look();
    // It ends after the window, and is overwritten after that.
    events[0].0[2] = 900;
    folder.write(NOBODY, &events, 0);
    flight.look();
    events.resize(1_000, event(EventKind::Hold, MUTEX, [1, 2]));
    folder.write(NOBODY, &events, 0);
    let copies = flight.finish();
    assert_eq!(copies.waits, 1);
    let copies = &copies.by_part[&path];
    assert_eq!(numbers(copies)[0], (0, 3));
    assert_eq!(copies[0].events[0].0[2], 900);
}

#[test]
fn the_last_hold_of_a_series_has_its_end_though_the_ring_forgets_it() {
    let folder = Folder::new();
    let mut flight = FlightRecorder::new(folder.path(), trigger(10_000, 0));
    let passed = |end_ns| {
        let lock = (LockKind::Spin, 128, 1);
        EventWords::new(EventKind::Hold, lock, event_flags::AWAITED, [0, end_ns], 0)
    };
    let now = now_ns() + MS;
    let mut events = long_wait(MUTEX, 0).to_vec();
    events.push(passed(now));
    let path = folder.write(NOBODY, &events, 0);
    flight.look();
    // The series goes on after the window, and is over after that.
    events[2] = passed(now + 500);
    folder.write(NOBODY, &events, 0);
    flight.look();
    events[2] = passed(now + 900);
    events.push(event(EventKind::Hold, MUTEX, [1, 2]));
    folder.write(NOBODY, &events, 0);
    flight.look();
    events.resize(1_000, event(EventKind::Hold, MUTEX, [1, 2]));
    folder.write(NOBODY, &events, 0);
    let copies = flight.finish();
    let copies = &copies.by_part[&path];
    assert_eq!(numbers(copies)[0], (0, 3));
    assert_eq!(copies[0].events[2].0[2], now + 900);
}

#[test]
fn a_record_that_is_half_written_is_no_long_wait() {
    let folder = Folder::new();
    let flight = FlightRecorder::new(folder.path(), trigger(10_000, 0));
    // Ticks stand where the end is to be.
    let torn = event(EventKind::Wait, MUTEX, [now_ns(), u64::MAX / 2]);
    folder.write(NOBODY, &[open_hold(1), torn], 0);
    let copies = flight.finish();
    assert_eq!((copies.waits, copies.complete_ns.len()), (0, 0));
    assert!(copies.by_part.values().all(Vec::is_empty));
}

/// The bytes of a part whose ring begins again while its records are read.
struct Overwritten {
    before: Vec<u8>,
    read: Vec<u8>,
    after: Vec<u8>,
    has_begun: Cell<bool>,
}

impl Source for Overwritten {
    fn length(&self) -> io::Result<u64> {
        Ok(self.after.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let is_record = offset >= PAGE_BYTES + SEGMENT_HEADER_BYTES;
        let bytes = match (self.has_begun.get(), is_record) {
            (true, _) => &self.after,
            (false, true) => &self.read,
            (false, false) => &self.before,
        };
        self.has_begun.set(self.has_begun.get() || is_record);
        bytes[..].read_at(buffer, offset)
    }
}

#[test]
fn a_record_that_is_overwritten_during_a_look_is_no_long_wait() {
    let bytes = |events: &[EventWords]| {
        let mut part = Builder::new(NOBODY, b"./server\0");
        part.ring(1, 100, events);
        part.bytes()
    };
    let mut events = vec![event(EventKind::Hold, MUTEX, [1, 2]); 126];
    let before = bytes(&events);
    // Halves of two records look like one that there never was. Another wait is not overwritten yet.
    events[10] = long_wait(MUTEX, 0)[0];
    events[100] = long_wait(MUTEX, 1)[0];
    let read = bytes(&events);
    events[10] = event(EventKind::Hold, MUTEX, [1, 2]);
    events.resize(126 + 60, event(EventKind::Hold, MUTEX, [3, 4]));
    let after = bytes(&events);
    let real = events[100].0[2];
    let mut process = Process::of(Overwritten {
        before,
        read,
        after,
        has_begun: Cell::new(false),
    })
    .unwrap();
    let long = process.look(&trigger(10_000, 0)).unwrap();
    let ends: Vec<u64> = long.iter().map(|it| it.end_ns).collect();
    assert_eq!(ends, [real]);
    assert_eq!(process.look(&trigger(10_000, 0)).unwrap(), []);
}

#[test]
fn a_window_is_complete_once_a_copy_was_made_after_it() {
    let folder = Folder::new();
    let mut flight = FlightRecorder::new(folder.path(), trigger(10_000, 30 * MS));
    let mut events = long_wait(MUTEX, 1_000 * MS).to_vec();
    let ended_ns = events[0].0[2];
    let path = folder.write(NOBODY, &events, 0);
    flight.look_at(ended_ns + MS);
    flight.look_at(ended_ns + 29 * MS);
    let later = ended_ns + 31 * MS;
    events.push(event(EventKind::Hold, MUTEX, [later - 1, later]));
    folder.write(NOBODY, &events, 0);
    flight.look_at(later);
    // Not in the window any more.
    events.push(event(EventKind::Hold, MUTEX, [later, later + 1]));
    folder.write(NOBODY, &events, 0);
    let copies = flight.finish();
    assert_eq!((&copies.complete_ns[..], copies.missed), (&[later][..], 0));
    assert_eq!(numbers(&copies.by_part[&path]), [(0, 2), (2, 1)]);
}

/// A wait that ends later may have begun earlier: what was left out between the two beginnings belongs to its surroundings.
#[test]
fn a_window_that_begins_earlier_has_what_was_left_out_before() {
    const S: u64 = 1_000 * MS;
    let folder = Folder::new();
    let mut flight = FlightRecorder::new(folder.path(), trigger(10_000, 2 * S));
    let zero_ns = now_ns() - 200 * S;
    let made = |kind, times: [u64; 2]| event(kind, MUTEX, times.map(|it| zero_ns + it));
    let detail = EventWords::detail(0, 0, 0, 0);
    let mut events: Vec<EventWords> = [90, 94, 97]
        .map(|end| made(EventKind::Hold, [end * S, end * S]))
        .to_vec();
    events.extend([made(EventKind::Wait, [102 * S, 103 * S]), detail]);
    let path = folder.write(NOBODY, &events, 0);
    flight.look_at(zero_ns + 104 * S);
    let other = [made(EventKind::Wait, [95 * S, 104 * S]), detail];
    folder.write(NOBODY - 1, &other, 0);
    events.push(made(EventKind::Hold, [104 * S, 104 * S]));
    folder.write(NOBODY, &events, 0);
    flight.look_at(zero_ns + 104 * S + 1);
    // Nothing is copied twice.
    flight.look_at(zero_ns + 107 * S);
    let copies = flight.finish();
    assert_eq!(copies.complete_ns, [zero_ns + 107 * S]);
    assert_eq!(numbers(&copies.by_part[&path]), [(2, 3), (0, 2), (5, 1)]);
}

#[test]
fn a_window_whose_later_part_does_not_fit_is_missed_once() {
    let folder = Folder::new();
    let mut flight = FlightRecorder::new(folder.path(), trigger(10, 10_000 * MS));
    let mut events = long_wait(MUTEX, 0).to_vec();
    let path = folder.write(NOBODY, &events, 0);
    flight.look();
    let now = now_ns();
    events.resize(60, event(EventKind::Hold, MUTEX, [now, now]));
    folder.write(NOBODY, &events, 0);
    for _ in 0..3 {
        flight.look();
    }
    // A wait that is found later has no room either.
    events.extend(long_wait(MUTEX, 0));
    folder.write(NOBODY, &events, 0);
    let copies = flight.finish();
    assert_eq!((copies.waits, copies.missed), (2, 2));
    assert!(copies.complete_ns.is_empty());
    assert_eq!(numbers(&copies.by_part[&path]), [(0, 2)]);
}

#[test]
fn a_part_that_cannot_be_read_leaves_no_complete_window() {
    let folder = Folder::new();
    let mut flight = FlightRecorder::new(folder.path(), trigger(10_000, 30 * MS));
    let wait = long_wait(MUTEX, 1_000 * MS);
    let path = folder.write(NOBODY, &wait, 0);
    flight.look_at(wait[0].0[2] + MS);
    std::fs::write(&path, b"no part").unwrap();
    let copies = flight.finish();
    assert_eq!((copies.waits, copies.missed), (1, 0));
    assert!(copies.complete_ns.is_empty());
    assert_eq!(numbers(&copies.by_part[&path]), [(0, 2)]);
}

#[test]
fn sleep_at_a_semaphore_uses_no_room_and_at_a_word_only_half() {
    let folder = Folder::new();
    let mut flight = FlightRecorder::new(folder.path(), trigger(20, 0));
    let sleep = long_wait(LockKind::Semaphore, 0);
    folder.write(1, &[sleep[0], sleep[1], sleep[0], sleep[1]], 0);
    flight.look();
    assert_eq!(flight.read_parts(), 1);
    // Twelve events do not fit into half of the room, and they fit into all of it.
    let mut events = vec![open_hold(1); 10];
    events.extend(long_wait(LockKind::Futex, 0));
    folder.write(2, &events, 0);
    flight.look();
    let mut held = long_wait(LockKind::Semaphore, 0);
    held[1] = EventWords::detail(0, 0, 77, 0);
    folder.write(3, &held, 0);
    let copies = flight.finish();
    assert_eq!((copies.waits, copies.missed), (2, 1));
    let copied = copies.by_part.values().flatten();
    assert_eq!(copied.map(|it| it.events.len()).sum::<usize>(), 18);
    assert_eq!(copies.complete_ns.len(), 1);
}

/// One after the other, as those of a build: each has a descriptor only while it goes on.
#[test]
fn processes_that_have_ended_are_let_go_with_their_copies() {
    let folder = Folder::new();
    let mut flight = FlightRecorder::new(folder.path(), trigger(10_000, 0));
    let long_ago = now_ns() - 2_000 * MS;
    let exited = folder.write(NOBODY, &long_wait(MUTEX, 0), long_ago);
    let mut process = started_with(folder.path());
    for sequence in [0, 1] {
        folder.write_image((process.id(), sequence), &[open_hold(1)], 0);
    }
    flight.look();
    // The second program of the process goes on.
    assert_eq!(flight.read_parts(), 1);
    flight.look();
    assert_eq!(flight.read_parts(), 1);
    process.kill().unwrap();
    process.wait().unwrap();
    let copies = flight.finish();
    assert_eq!(numbers(&copies.by_part[&exited]), [(0, 2)]);
    assert_eq!(copies.by_part.len(), 3);
}

/// Starts a process that waits, with the folder in its environment.
fn started_with(folder: &Path) -> Child {
    let mut command = Command::new("cat");
    let command = command.env("FOLDER", folder).stdin(Stdio::piped());
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    // The kernel shows its environment a moment after it has let the parent go on. A process that answers has one.
    process.stdin.as_mut().unwrap().write_all(b"x").unwrap();
    let answer = process.stdout.as_mut().unwrap();
    answer.read_exact(&mut [0]).unwrap();
    process
}

/// Each in a container of its own: the number of a part only says that a file of that name was there.
#[test]
fn two_processes_with_the_same_id_are_both_read() {
    let folder = Folder::new();
    let mut flight = FlightRecorder::new(folder.path(), trigger(10_000, 0));
    for number in [0, 1] {
        folder.write_image((NOBODY, number), &[open_hold(1)], 0);
    }
    flight.look();
    flight.look();
    assert_eq!(flight.read_parts(), 2);
}
