//! The locks that share a row, and the row's contents.

use locktoll_recording::layout::{self, BirthBy, BirthRecord, NO_OWNER, POOLED};

use super::builder::store;
use super::program::{DATA, HEAP, Program, function, lock, mutex, profile};
use locktoll_results::profile::{LockKind, MEMBERS};

#[test]
fn a_lock_in_a_variable_is_named_by_it() {
    let mut program = Program::new(1);
    program.variable("queue_lock", DATA, 40);
    program.variable("state", DATA + 0x100, 0x100);
    program.count(mutex(DATA, 1), 5);
    program.count(mutex(DATA + 0x140, 2), 7);
    program.count(mutex(DATA + 0x400, 2), 9);
    let profile = program.profile();
    let queue = lock(&profile, "queue_lock");
    assert_eq!((queue.acquisitions, queue.instances), (Some(5), 1));
    assert_eq!(queue.id, "mutex:server:queue_lock");
    assert_eq!(lock(&profile, "state+0x40").acquisitions, Some(7));
    // The address in the file is the one in memory minus the bias.
    assert_eq!(lock(&profile, "server+0x7400").acquisitions, Some(9));
}

#[test]
fn many_locks_in_one_variable_are_one_row_in_every_process() {
    let array = |pid: u32, locks: u64| {
        let mut program = Program::new(pid);
        program.variable("few", DATA, 16 * 40);
        program.variable("many", DATA + 0x400, 17 * 40);
        for number in 0..locks {
            program.count(mutex(DATA + 0x400 + 40 * number, 1), 10 + number);
            if number < 16 {
                program.count(mutex(DATA + 40 * number, 1), 1);
            }
        }
        program.bytes()
    };
    let mut bytes = array(1, 17);
    // A child that took three of them.
    bytes.extend(array(2, 3));
    let profile = profile(&bytes);
    let many = lock(&profile, "many[]");
    assert_eq!(many.instances, 20);
    assert_eq!(many.id, "mutex:server:many[]");
    assert_eq!(many.members.len(), MEMBERS);
    let dearest = &many.members[0];
    assert_eq!((dearest.pid, dearest.offset), (1, Some(40 * 16)));
    assert_eq!(dearest.acquisitions, Some(26));
    let few = lock(&profile, "few+0x28");
    assert_eq!((few.instances, few.acquisitions), (2, Some(2)));
    assert_eq!(profile.locks.len(), 1 + 16);
}

#[test]
fn many_unnamed_locks_of_one_birth_are_one_row() {
    let mut program = Program::new(1);
    program.part.birth(1, BirthBy::FirstUse, &[1, 4]);
    for number in 0..100 {
        program.count(mutex(DATA + 40 * number, 1).born(1), 1);
    }
    let profile = program.profile();
    assert_eq!(profile.locks.len(), 1);
    let row = lock(&profile, "lock first taken in push (server.cc:10)");
    assert_eq!(row.instances, 100);
}

#[test]
fn what_is_allocated_is_named_by_where_it_came_from_behind_wrappers() {
    let mut program = Program::new(1);
    program.part.birth(1, BirthBy::Initialisation, &[5, 3, 4]);
    program.part.birth(2, BirthBy::FirstUse, &[5, 1, 4]);
    for number in 0..1000 {
        program.count(mutex(HEAP + 64 * number, 1).born(1), 2);
    }
    program.count(mutex(HEAP + 0x100_0000, 1).born(2), 3);
    program.count(mutex(HEAP + 0x200_0000, 2), 4);
    let profile = program.profile();
    let made = lock(&profile, "lock made in make_queue (server.cc:30)");
    assert_eq!((made.instances, made.acquisitions), (1000, Some(2000)));
    assert_eq!(made.id, "mutex:server:born:make_queue");
    assert!(made.initialised);
    let calls: Vec<&str> = made
        .birth
        .iter()
        .map(|it| function(std::slice::from_ref(it)))
        .collect();
    assert_eq!(calls, ["std::mutex::lock()", "make_queue", "main"]);
    let taken = lock(&profile, "lock first taken in push (server.cc:10)");
    assert_eq!(taken.id, "mutex:server:first:push");
    assert!(!taken.initialised && taken.members.is_empty());
    // The birth is not known, so the place that takes the lock identifies it.
    let unknown = lock(&profile, "lock first taken in pop (server.cc:20)");
    assert_eq!((unknown.acquisitions, unknown.birth.len()), (Some(4), 0));
}

#[test]
fn births_with_the_same_name_are_apart_and_numbered_the_same_every_time() {
    let recorded = |first_waits: u64| {
        let mut program = Program::new(1);
        program.part.birth(1, BirthBy::Initialisation, &[3, 2]);
        program.part.birth(2, BirthBy::Initialisation, &[3, 1]);
        program.count(mutex(HEAP, 1).born(1), first_waits);
        program.count(mutex(HEAP + 64, 1).born(2), 5);
        program.profile()
    };
    let ids = |first_waits| {
        let profile = recorded(first_waits);
        let mut ids: Vec<(String, String)> = profile
            .locks
            .iter()
            .map(|it| (function(&it.birth[1..]).to_owned(), it.id.clone()))
            .collect();
        ids.sort();
        ids
    };
    let expected = [
        ("pop", "mutex:server:born:make_queue"),
        ("push", "mutex:server:born:make_queue#2"),
    ];
    let expected = expected.map(|(caller, id)| (caller.to_owned(), id.to_owned()));
    // The ids do not depend on which of them is more expensive.
    assert_eq!(ids(1), expected);
    assert_eq!(ids(9), expected);
}

#[test]
fn sites_with_the_same_function_and_line_are_one() {
    let mut bytes = Program::new(1).bytes();
    for pid in [2, 3] {
        let mut program = Program::new(pid);
        program.variable("queue_lock", DATA, 40);
        program.count(mutex(DATA, 1), 5);
        program.count(mutex(DATA, 2), 1);
        bytes.extend(program.bytes());
    }
    let profile = profile(&bytes);
    let sites = &lock(&profile, "queue_lock").sites;
    assert_eq!(sites.len(), 2);
    assert_eq!(
        (function(&sites[0].frames), sites[0].acquisitions),
        ("push", Some(10))
    );
}

#[test]
fn locks_that_have_gone_are_counted_and_not_listed() {
    let mut program = Program::new(1);
    program.part.one(NO_OWNER, |birth: &BirthRecord| {
        let by = BirthBy::Initialisation.number();
        store!(birth, id = 1, site = 3, by = by, kind = 1, locks = 5);
    });
    program.count(mutex(HEAP, 1).born(1), 2);
    program.count(mutex(HEAP + 64, 1).born(1), 3);
    program.count(mutex(POOLED, 1).born(1), 40);
    let profile = program.profile();
    let made = lock(&profile, "lock made in make_queue (server.cc:30)");
    // Five were made there, and two of them are still alive.
    assert_eq!((made.instances, made.acquisitions), (5, Some(45)));
    let listed: Vec<u64> = made.members.iter().map(|it| it.address).collect();
    assert_eq!(listed, [HEAP + 64, HEAP]);
}

#[test]
fn two_locks_that_have_gone_are_counted_and_not_listed_either() {
    for gone in [2, 3] {
        let mut program = Program::new(1);
        program.part.one(NO_OWNER, |birth: &BirthRecord| {
            let by = BirthBy::Initialisation.number();
            store!(birth, id = 1, site = 3, by = by, kind = 1, locks = 1 + gone);
        });
        program.count(mutex(HEAP, 1).born(1), 2);
        program.count(mutex(POOLED, 1).born(1), 40);
        let profile = program.profile();
        let made = lock(&profile, "lock made in make_queue (server.cc:30)");
        let listed: Vec<u64> = made.members.iter().map(|it| it.address).collect();
        assert_eq!((made.instances, listed), (1 + gone, vec![HEAP]));
    }
}

#[test]
fn what_was_counted_of_locks_that_have_gone_is_of_one_lock_at_least() {
    let mut program = Program::new(1);
    // Locks without a mark are not counted by the place that they come from.
    program.part.birth(1, BirthBy::Initialisation, &[3, 4]);
    program.count(mutex(POOLED, 1).born(1), 40);
    let profile = program.profile();
    let row = lock(&profile, "lock made in make_queue (server.cc:30)");
    assert_eq!((row.instances, row.acquisitions), (1, Some(40)));
    // The address of that lock is not known.
    assert!(row.members.is_empty(), "{:?}", row.members);
}

#[test]
fn a_lock_of_a_process_that_was_not_recorded_is_known_by_where_it_was_first_taken() {
    let mut program = Program::new(1);
    program.part.one(NO_OWNER, |birth: &BirthRecord| {
        let by = BirthBy::FirstUse.number();
        store!(birth, id = 1, site = 3, by = by, kind = 1, locks = 1);
        store!(birth, ancestor_pid = 99, ancestor_birth = 7);
    });
    program.count(mutex(HEAP, 1).born(1), 2);
    let profile = program.profile();
    let taken = lock(&profile, "lock first taken in make_queue (server.cc:30)");
    assert_eq!(taken.acquisitions, Some(2));
}

#[test]
fn each_kind_of_lock_has_rows_of_its_own() {
    let mut program = Program::new(1);
    let kinds = [
        (layout::LockKind::Mutex, LockKind::Mutex),
        (layout::LockKind::RwLock, LockKind::RwLock),
        (layout::LockKind::Spin, LockKind::Spin),
        (layout::LockKind::Semaphore, LockKind::Semaphore),
        (layout::LockKind::Condvar, LockKind::Condvar),
        (layout::LockKind::Barrier, LockKind::Barrier),
        (layout::LockKind::Futex, LockKind::Futex),
    ];
    assert_eq!(kinds.map(|it| it.0), layout::LockKind::ALL);
    for (address, (kind, _)) in (DATA..).step_by(64).zip(kinds) {
        program.variable(&format!("{kind:?}"), address, 64);
        program.count(mutex(address, 1).of(kind), 3);
    }
    let profile = program.profile();
    for (kind, expected) in kinds {
        assert_eq!(lock(&profile, &format!("{kind:?}")).kind, expected);
    }
}
