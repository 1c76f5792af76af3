//! Events by time, and what may be wrong with them.

use std::fs::File;
use std::io::Write;

use locktoll_recording::layout::{
    EventKind, EventWords, Keeps, LockKind, NO_OWNER, ThreadRecord, event_flags,
};
use locktoll_recording::reader::Recording;
use locktoll_recording::writer::end_part;
use locktoll_results::profile::timeline::{HoldFlags, Index, Timeline, WaitEnd};
use proptest::prelude::*;

use super::builder::{Builder, store};
use super::program::{DATA, Program, mutex};
use crate::recording::join::profile_with_events;
use crate::recording::timeline::EventFiles;

/// Times of the tests are relative to the beginning of the recording.
pub(super) const START_NS: u64 = 2_000;
pub(super) const MUTEX: (LockKind, u64, u32) = (LockKind::Mutex, DATA, 0);

/// A process with two threads and a mutex.
pub(super) fn process(pid: u32, keeps: Keeps) -> Program {
    let mut program = Program::new(pid);
    let header = program.part.header();
    store!(header, keeps = keeps.number().into(), event_bytes = 1 << 20);
    end_part(header, START_NS + 900_000_000);
    thread(&mut program.part, pid + 1, 1, [0, 800_000_000]);
    thread(&mut program.part, pid + 2, 2, [0, 0]);
    program.count(mutex(DATA, 1), 1);
    program
}

fn thread(part: &mut Builder, tid: u32, slot: u32, [begin_ns, end_ns]: [u64; 2]) {
    part.one(NO_OWNER, |thread: &ThreadRecord| {
        store!(
            thread,
            tid = tid,
            slot = slot,
            start_ns = START_NS + begin_ns
        );
        let end_ns = if end_ns == 0 { 0 } else { START_NS + end_ns };
        store!(thread, end_ns = end_ns);
    });
}

pub(super) fn wait(times: [u64; 2]) -> EventWords {
    let times = times.map(|it| START_NS + it);
    EventWords::new(EventKind::Wait, MUTEX, 0, times, 1)
}

pub(super) fn detail(released_ns: u64) -> EventWords {
    EventWords::detail(START_NS + released_ns, 0, 0, 0)
}

fn hold(times: [u64; 2]) -> EventWords {
    let times = times.map(|it| START_NS + it);
    EventWords::new(EventKind::Hold, MUTEX, event_flags::AWAITED, times, 2)
}

pub(super) fn timeline(programs: Vec<Program>) -> Timeline {
    let bytes: Vec<u8> = programs.into_iter().flat_map(Program::bytes).collect();
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    read(&bytes, file)
}

fn read(bytes: &[u8], file: File) -> Timeline {
    let recording = Recording::from_bytes(bytes).unwrap();
    let mut files = EventFiles::default();
    files.add(file, &recording);
    let profile = profile_with_events(&recording, &files);
    let timeline = *profile.timeline.unwrap();
    assert_eq!(timeline.unsound(), None);
    timeline
}

#[test]
fn a_wait_ends_with_the_release_that_its_thread_saw() {
    let mut program = process(7, Keeps::Waits);
    // The same thread released the lock twice during the wait: another one was faster at first.
    program
        .part
        .ring(1, 8, &[hold([100, 5_000]), hold([6_000, 9_000])]);
    program
        .part
        .ring(2, 8, &[wait([1_000, 9_100]), detail(9_000)]);
    let timeline = timeline(vec![program]);
    let wait = timeline.waits.get(0);
    assert_eq!((wait.thread, wait.begin_ns, wait.end_ns), (1, 1_000, 9_100));
    assert_eq!((wait.released_by, wait.released_ns), (Index::new(0), 9_000));
    assert_eq!(wait.end, WaitEnd::Done);
    // The thread that waited had the lock until the end.
    assert_eq!(timeline.holds.len(), 3);
    let last = timeline.holds.get(2);
    assert_eq!(
        (last.thread, last.begin_ns, last.end_ns),
        (1, 9_100, 900_000_000)
    );
    assert!(last.flags.has(HoldFlags::UNFINISHED));
}

/// Writes signals and then waits, so that the ring begins again within a wait: at its second half if `odd`, else between two
/// waits.
fn wrapped(odd: bool) -> Timeline {
    let mut program = process(7, Keeps::Waits);
    let mut events = Vec::new();
    if odd {
        events.push(EventWords::new(
            EventKind::Signal,
            MUTEX,
            0,
            [START_NS + 1, 0],
            1,
        ));
    }
    for number in 1..=300_u64 {
        let at_ns = number * 1_000;
        events.push(wait([at_ns, at_ns + 500]));
        events.push(detail(0));
    }
    program.part.ring(1, 100, &events);
    timeline(vec![program])
}

#[test]
fn a_ring_that_begins_again_within_a_wait_keeps_whole_waits() {
    for odd in [false, true] {
        let timeline = wrapped(odd);
        let lost = timeline.kept.lost;
        assert_eq!(lost.damaged, 0, "odd: {odd}");
        let events = 600 + u64::from(odd);
        let kept = timeline.waits.len() as u64;
        // A half of a wait whose other half is gone is left out with it.
        assert!(
            [0, 1].contains(&(events - lost.overwritten - 2 * kept)),
            "odd: {odd}, {lost:?}, {kept} waits"
        );
        assert!(kept > 55, "the last round, and most of the one before it");
        // The last of them are there, one after the other.
        let begins: Vec<u64> = timeline.waits.begin_ns.clone();
        let expected = (301 - kept..=300).map(|number| number * 1_000);
        assert_eq!(begins, expected.collect::<Vec<_>>(), "odd: {odd}");
        assert!(
            timeline
                .waits
                .iter()
                .all(|it| it.end_ns == it.begin_ns + 500)
        );
        let thread = &timeline.threads[0];
        assert_eq!(thread.overwritten, lost.overwritten);
        assert!(thread.complete_from_ns <= begins[0] && thread.complete_from_ns > 0);
    }
}

#[test]
fn a_thread_that_died_in_the_middle_leaves_what_it_had_written() {
    let mut program = process(7, Keeps::Everything);
    let ticks = |times| EventWords::new(EventKind::TimedHold, MUTEX, 0, times, 1);
    let clock = |ns| {
        EventWords::new(
            EventKind::Clock,
            (LockKind::Mutex, 0, 0),
            0,
            [START_NS + ns, START_NS + ns],
            0,
        )
    };
    let events = [
        clock(1),
        ticks([START_NS + 1_000, 0]),
        wait([50_000, 60_000]),
    ];
    program.part.ring(1, 8, &events);
    program.part.one(NO_OWNER, |thread: &ThreadRecord| {
        store!(thread, tid = 55, slot = 3, start_ns = START_NS + 10);
        store!(
            thread,
            waiting_since_ns = START_NS + 70_000,
            waiting_lock = DATA
        );
    });
    let timeline = timeline(vec![program]);
    // The hold lasts until the end of its thread, the wait until the end of the process.
    let hold = timeline.holds.get(0);
    assert_eq!((hold.begin_ns, hold.end_ns), (1_000, 800_000_000));
    assert!(hold.flags.has(HoldFlags::UNFINISHED));
    let ends: Vec<_> = timeline
        .waits
        .iter()
        .map(|it| (it.thread, it.end, it.end_ns))
        .collect();
    assert_eq!(
        ends,
        [
            (0, WaitEnd::Done, 60_000),
            (2, WaitEnd::Unfinished, 900_000_000)
        ]
    );
    assert_eq!(timeline.waits.released_by[0], Index::NONE);
}

#[test]
fn a_slot_has_one_thread_after_another() {
    let mut program = process(7, Keeps::Waits);
    thread(&mut program.part, 99, 1, [810_000_000, 0]);
    let events = [
        wait([1_000, 2_000]),
        detail(0),
        wait([820_000_000, 830_000_000]),
        detail(0),
    ];
    program.part.ring(1, 8, &events);
    let timeline = timeline(vec![program]);
    let tids: Vec<u32> = timeline
        .waits
        .iter()
        .map(|it| timeline.threads[it.thread as usize].tid)
        .collect();
    assert_eq!(tids, [8, 99]);
}

/// Parent and child have the same address for different locks.
#[test]
fn the_processes_of_a_fork_have_locks_of_their_own() {
    let mut programs = Vec::new();
    for pid in [7, 20] {
        let mut program = process(pid, Keeps::Waits);
        program.part.ring(1, 8, &[hold([100, 5_000])]);
        program
            .part
            .ring(2, 8, &[wait([1_000, 5_100]), detail(5_000)]);
        programs.push(program);
    }
    let timeline = timeline(programs);
    assert_eq!(timeline.waits.len(), 2);
    for wait in timeline.waits.iter() {
        let pid = timeline.threads[wait.thread as usize].pid;
        assert_eq!(timeline.locks[wait.lock as usize].pid, pid);
        let by = wait.released_by.get().unwrap();
        assert_eq!(timeline.threads[by].pid, pid);
    }
}

#[test]
fn an_acquisition_before_its_release_is_moved_if_clocks_can_differ_that_much() {
    for (early_ns, is_moved) in [(0, false), (5_000, true), (20_000, true), (25_000, false)] {
        let mut program = process(7, Keeps::Waits);
        program.part.ring(1, 8, &[hold([1_000, 100_000])]);
        program
            .part
            .ring(2, 8, &[hold([100_000 - early_ns, 200_000])]);
        let timeline = timeline(vec![program]);
        let begins = &timeline.holds.begin_ns;
        let expected = if is_moved {
            100_000
        } else {
            100_000 - early_ns
        };
        assert_eq!(begins[1], expected, "{early_ns} ns early");
        let lost = timeline.kept.lost;
        assert_eq!(
            (lost.moved, lost.moved_ns),
            if is_moved { (1, early_ns) } else { (0, 0) }
        );
    }
}

#[test]
fn events_that_end_before_they_begin_are_damaged() {
    let mut program = process(7, Keeps::Waits);
    let events = [
        wait([9_000, 8_000]),
        detail(0),
        hold([9_000, 8_000]),
        wait([9_000, 9_000]),
        detail(0),
    ];
    program.part.ring(1, 8, &events);
    let timeline = timeline(vec![program]);
    assert_eq!(timeline.kept.lost.damaged, 2);
    assert_eq!(timeline.waits.len(), 1);
}

fn words() -> impl Strategy<Value = EventWords> {
    let any_word = prop_oneof![any::<u64>(), 0_u64..1_000_000, Just(u64::MAX)];
    let random = prop::array::uniform4(any_word.clone()).prop_map(EventWords);
    let kinds = [
        EventKind::Wait,
        EventKind::WaitDetail,
        EventKind::Hold,
        EventKind::TimedHold,
        EventKind::Release,
        EventKind::Signal,
        EventKind::Block,
        EventKind::Clock,
    ];
    let locks = prop::sample::select(vec![
        LockKind::Mutex,
        LockKind::Condvar,
        LockKind::RwLock,
        LockKind::Semaphore,
    ]);
    let parts = (
        prop::sample::select(kinds.to_vec()),
        locks,
        0_u64..4,
        any::<u8>(),
        [any_word.clone(), any_word],
        0_u32..12,
    );
    let likely = parts.prop_map(|(kind, lock, address, flags, times, site)| {
        EventWords::new(kind, (lock, DATA + 40 * address, 0), flags, times, site)
    });
    prop_oneof![1 => random, 4 => likely]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_events_make_a_sound_timeline(
        first in prop::collection::vec(words(), 0..200),
        second in prop::collection::vec(words(), 0..60),
        keeps_all in any::<bool>(),
    ) {
        let mut program = process(7, if keeps_all { Keeps::Everything } else { Keeps::Waits });
        program.part.ring(1, 60, &first);
        program.part.ring(2, 60, &second);
        // `timeline` checks that it is sound.
        let timeline = timeline(vec![program]);
        let lost = timeline.kept.lost;
        let events = timeline.events() as u64;
        // Unfinished holds and waits are added, at most one for each event.
        prop_assert!(lost.overwritten + lost.damaged <= (first.len() + second.len()) as u64);
        prop_assert!(events <= 2 * (first.len() + second.len()) as u64);
        let _ = crate::findings::of(&timeline);
    }
}
