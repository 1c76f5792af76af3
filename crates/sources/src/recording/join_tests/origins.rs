//! Births, inherited ones, and words on which threads sleep whatever they wait for.

use locktoll_recording::layout::{BirthBy, BirthRecord, EntryPoint, LockKind, NO_OWNER};
use locktoll_recording::reader::{Part, Recording};

use super::builder::{Builder, store};
use super::program::{HEAP, Key, Program, mutex};
use crate::recording::births::{Ancestors, Births};
use crate::recording::instances::Instances;
use crate::recording::parked::come_from_where_they_wait;
use crate::recording::sites::{SiteId, Sites};
use crate::recording::statics::Statics;
use crate::recording::symbols::Symbols;
use locktoll_results::profile::Frame;

/// The functions at the program's sites, in the order of their numbers, which begin with 1.
const NAMES: [&str; 8] = [
    "syscall",
    "parking_lot_core::parking_lot::park",
    "Queue::push",
    "Queue::pop",
    "PGSemaphoreLock",
    "LWLockAcquire",
    "main",
    "work",
];

/// Returns the sites of a part whose functions have these names.
fn named(sites: &mut Sites) -> Vec<SiteId> {
    let site = |function: &str| {
        let frame = Frame {
            function: Some(function.to_owned()),
            line: Some(1),
            ..Frame::default()
        };
        sites.id(None, vec![frame])
    };
    NAMES.map(site).to_vec()
}

fn read(part: Builder) -> Part {
    let recording = Recording::from_bytes(&part.bytes()).unwrap();
    assert_eq!(recording.warnings, []);
    recording.parts.into_iter().next().unwrap()
}

const fn futex() -> Key {
    mutex(HEAP, 1).of(LockKind::Futex).born(1)
}

/// Returns the functions where the only lock of `program` came from, and whether it seems to be posted by others.
fn origin(program: Program) -> (Vec<String>, bool) {
    let part = read(program.part);
    let (mut sites, mut births) = (Sites::default(), Births::default());
    let known = named(&mut sites);
    let ids = births.of_part(&part, &known, &sites, &Ancestors::default());
    let (mut statics, mut symbols) = (Statics::default(), Symbols::default());
    let mut instances = Instances::of(&part, &ids, &mut statics, &mut symbols);
    come_from_where_they_wait(&part, &mut instances, &known, &sites, &mut births);
    let [lock] = instances.list() else {
        panic!("there is one lock");
    };
    let frames = sites.stack(&births.get(lock.birth.unwrap()).calls);
    let functions = frames.into_iter().filter_map(|it| it.function).collect();
    (functions, lock.posted)
}

/// Returns a program with a lock that was first used by a call of `work`, and with these stacks, from number 2 on.
fn program(key: Key, stacks: &[&[u32]]) -> Program {
    let mut program = Program::new(1);
    program.part.birth(1, BirthBy::FirstUse, &[1, 8]);
    for (id, stack) in (2..).zip(stacks) {
        program.part.birth(id, BirthBy::FirstUse, stack);
    }
    program.count(key, 1);
    program
}

#[test]
fn a_word_comes_from_the_stack_that_waited_longest_for_it() {
    let (push, pop): (&[u32], &[u32]) = (&[1, 2, 3, 7], &[1, 2, 4, 7]);
    // Two waits of 300 ns by one stack are longer than one of 500 by another.
    for (waits, expected) in [
        ([(2, 300), (2, 300), (3, 500)], "Queue::push"),
        ([(2, 100), (2, 300), (3, 500)], "Queue::pop"),
        // Of two that are equal, always the same.
        ([(2, 200), (2, 300), (3, 500)], "Queue::pop"),
    ] {
        let mut program = program(futex(), &[push, pop]);
        for (slot, (stack, wait_ns)) in (1..).zip(waits) {
            program.stack_waits(Key { slot, ..futex() }, stack, 1, wait_ns);
        }
        let (functions, _) = origin(program);
        assert_eq!(functions, ["syscall", NAMES[1], expected, "main"]);
    }
}

#[test]
fn only_words_on_which_threads_sleep_come_from_there() {
    let (parked, of_postgres): (&[u32], &[u32]) = (&[1, 2, 3], &[1, 5, 6]);
    let (elsewhere, beneath_a_lock): (&[u32], &[u32]) = (&[1, 3, 7], &[1, 6, 3]);
    for (kind, stack, is_parked) in [
        (LockKind::Futex, parked, true),
        (LockKind::Futex, of_postgres, true),
        (LockKind::Semaphore, parked, true),
        (LockKind::Semaphore, of_postgres, true),
        (LockKind::Mutex, parked, false),
        (LockKind::Condvar, of_postgres, false),
        (LockKind::Futex, elsewhere, false),
        (LockKind::Semaphore, beneath_a_lock, false),
    ] {
        let key = futex().of(kind);
        let mut program = program(key, &[stack]);
        program.stack_waits(key, 2, 1, 500);
        let (functions, _) = origin(program);
        let expected = if is_parked { stack } else { &[1, 8] };
        let expected: Vec<_> = expected.iter().map(|it| NAMES[*it as usize - 1]).collect();
        assert_eq!(functions, expected, "{kind:?}");
    }
}

#[test]
fn parking_lot_is_looked_for_among_the_twelve_innermost_calls() {
    for (above, is_parked) in [(11, true), (12, false)] {
        let stack = [&vec![1; above][..], &[2, 3]].concat();
        let mut program = program(futex(), &[&stack]);
        program.stack_waits(futex(), 2, 1, 500);
        let (functions, _) = origin(program);
        assert_eq!(functions.len() == stack.len(), is_parked, "{functions:?}");
    }
}

#[test]
fn a_semaphore_on_which_a_thread_sleeps_is_not_judged_by_who_posts_it() {
    let semaphore = futex().of(LockKind::Semaphore);
    for (stack, posted) in [([1, 5, 6], false), ([1, 3, 7], true)] {
        let mut program = program(semaphore, &[&stack]);
        program.count(semaphore.by(EntryPoint::Post), 5);
        program.stack_waits(semaphore, 2, 1, 500);
        assert_eq!(origin(program).1, posted, "{stack:?}");
    }
}

/// Returns a process with a birth at `site`, which may be that of an earlier process.
fn process(pid: u32, birth: u32, site: u32, earlier: Option<(u32, u32)>) -> Part {
    let mut part = Builder::new(pid, b"");
    part.sites(8, 0);
    part.one(NO_OWNER, |record: &BirthRecord| {
        let by = BirthBy::FirstUse.number();
        store!(record, id = birth, site = site, by = by, kind = 1);
        let (pid, birth) = earlier.unwrap_or_default();
        store!(record, ancestor_pid = pid, ancestor_birth = birth);
    });
    read(part)
}

#[test]
fn an_inherited_lock_comes_from_where_the_first_process_made_it() {
    let (mut sites, mut births) = (Sites::default(), Births::default());
    let (known, mut ancestors) = (named(&mut sites), Ancestors::default());
    let grandchild = process(3, 6, 8, Some((2, 5)));
    let parts = [process(1, 4, 3, None), process(2, 5, 7, Some((1, 4)))];
    let mut ids = Vec::new();
    for (position, part) in parts.iter().enumerate() {
        let of_part = births.of_part(part, &known, &sites, &ancestors);
        ancestors.add(part, position, &of_part);
        ids.extend(of_part);
    }
    ids.extend(births.of_part(&grandchild, &known, &sites, &ancestors));
    assert_eq!(ids, [ids[0]; 3]);
    let made = ancestors.made(&grandchild.births[0]).unwrap();
    // The third of the sites of the first part.
    assert_eq!((made.birth, made.site), (ids[0], Some((0, 2))));
    assert!(ancestors.made(&parts[0].births[0]).is_none());
    // A process of which there is no part, and a birth that the part does not have.
    for earlier in [(9, 4), (1, 5)] {
        let other = process(4, 1, 7, Some(earlier));
        assert!(ancestors.made(&other.births[0]).is_none());
        assert_ne!(births.of_part(&other, &known, &sites, &ancestors), [ids[0]]);
    }
}
