//! Numbers of stacks and births, and their records.

use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{BirthBy, DropReason, LockKind};
use locktoll_recording::reader::Recording;

use super::fixture::{Library, calls_by, recorder};
use crate::numbers::StackCache;
use crate::origins::births::BirthKey;
use crate::recorder::Recorder;
use crate::unwind::Calls;
use crate::unwind::KnownPages;

thread_local! {
    static RECORDER: Cell<Option<&'static Recorder>> = const { Cell::new(None) };
    static LAST: Cell<[u32; 4]> = const { Cell::new([0; 4]) };
    /// A cache as each thread has one. It is not in the thread's own memory, because threads on small stacks would then have
    /// room for nothing else.
    static CACHE: Box<StackCache> = Box::new(StackCache::nothing());
}

/// Numbers every stack and birth, with a cache and without.
fn number(site: usize) -> Calls {
    let recorder = RECORDER.get().unwrap();
    let (by, kind) = (BirthBy::FirstUse, LockKind::RwLock);
    CACHE.with(|cache| {
        LAST.set([
            recorder.stack_id(Some(cache), site),
            recorder.stack_id(None, site),
            recorder.birth_id(Some(cache), site, by, kind, None),
            recorder.birth_id(None, site, by, kind, None),
        ]);
    });
    calls_by(recorder, site, &KnownPages::none())
}

#[test]
fn a_stack_has_one_number_and_another_stack_another() {
    let (recorder, folder) = recorder();
    RECORDER.set(Some(recorder));
    let library = Library::load(&["-O2"]);
    let mut stacks = Vec::new();
    for round in 0..3 {
        for depth in 0..40 {
            let walk = library.walk_by("descend", depth, number);
            let last @ [stack, same_stack, birth, same_birth] = LAST.get();
            assert_eq!((stack, birth), (same_stack, same_birth));
            if round == 0 {
                let calls = walk.calls.unwrap();
                stacks.push((last, calls.addresses().to_vec()));
                // Numbers are given in the order of first appearance.
                assert_eq!(stack as usize, stacks.len());
                assert_eq!(birth as usize, stacks.len());
            }
            assert_eq!(stacks[depth as usize].0, last);
        }
    }
    check_records(folder.path(), &stacks);
}

/// Checks that the part in `folder` has what was numbered.
fn check_records(folder: &std::path::Path, stacks: &[([u32; 4], Vec<usize>)]) {
    let mut parts = std::fs::read_dir(folder).unwrap();
    let path = parts.next().unwrap().unwrap().path();
    let recording = Recording::open(&path).unwrap();
    let part = &recording.parts[0];
    assert_eq!(part.stacks.len(), stacks.len());
    for (([stack, ..], addresses), birth) in stacks.iter().zip(&part.births) {
        let number = *stack as usize - 1;
        let sites = &part.stacks[number].sites;
        let recorded = sites
            .iter()
            .map(|site| part.sites[site.unwrap()].address as usize);
        assert_eq!(&recorded.collect::<Vec<_>>(), addresses);
        assert!(!part.stacks[number].truncated);
        assert_eq!(birth.stack, Some(number));
        assert_eq!(birth.site, sites[0]);
        assert_eq!(birth.kind, Some(LockKind::RwLock));
        assert_eq!(birth.by, Some(BirthBy::FirstUse));
    }
}

#[test]
fn more_than_fit_are_dropped_and_counted() {
    const ROOM: u32 = (1 << 16) - 1;
    let (recorder, _folder) = recorder();
    let guard = recorder.lock();
    let birth = |stack| {
        let key = BirthKey {
            stack,
            by: BirthBy::Initialisation,
            kind: LockKind::Mutex,
        };
        guard.birth(key, 0x1000, None)
    };
    for stack in 1..=ROOM {
        assert_eq!(birth(stack), stack);
    }
    for stack in ROOM + 1..=ROOM + 10 {
        assert_eq!(birth(stack), 0);
    }
    // The existing ones are still found.
    assert!((1..=ROOM).all(|stack| birth(stack) == stack));
    let header = guard.shared().part.header().unwrap();
    let dropped = &header.dropped[usize::from(DropReason::StackTableFull.number())];
    assert_eq!(dropped.load(Relaxed), 10);
}

#[test]
fn a_site_that_no_way_leads_to_is_a_stack_by_itself() {
    let (recorder, _folder) = recorder();
    let nowhere = 0x1000;
    let stack = recorder.stack_id(None, nowhere);
    assert_eq!(stack, 1);
    let calls = calls_by(recorder, nowhere, &KnownPages::none());
    assert_eq!(
        (calls.addresses(), calls.is_truncated),
        (&[nowhere][..], false)
    );
}
