//! Waits, holds, blame, events.

use locktoll_recording::layout::{BirthBy, EntryPoint, LockKind, POOLED};

use super::builder::store;
use super::program::{DATA, HEAP, Program, function, lock, mutex};
use locktoll_results::profile::Use;

const QUEUE: u64 = DATA;

fn program() -> Program {
    let mut program = Program::new(1);
    program.variable("queue", QUEUE, 40);
    program
}

#[test]
fn a_wait_is_split_by_what_was_examined_and_measured() {
    let mut program = program();
    program.count(mutex(QUEUE, 1), 10);
    program.waits(mutex(QUEUE, 1), &[400, 600], |contention| {
        store!(
            contention,
            runnable_ns = 100,
            examined = 1,
            examined_ns = 400
        );
        store!(
            contention,
            examined_cpu_ns = 80,
            voluntary_switches = 3,
            involuntary_switches = 2
        );
        store!(contention, timed_out = 1, try_failed = 4);
    });
    let profile = program.profile();
    let queue = lock(&profile, "queue");
    let split = queue.wait_split.as_ref().unwrap();
    // 80 of 400 ns examined, so 200 of 1000.
    assert_eq!(
        (split.spinning_ns, split.runnable_ns, split.blocked_ns),
        (Some(200), 100, 700)
    );
    assert_eq!(
        (
            split.examined,
            split.voluntary_switches,
            split.involuntary_switches
        ),
        (1, 3, 2)
    );
    assert_eq!(
        (queue.timed_out, queue.try_failed, queue.contended),
        (1, Some(4), 2)
    );
    assert_eq!((queue.wait_ns.total, queue.wait_ns.max), (1_000, Some(600)));
}

#[test]
fn a_spin_lock_is_spun_for() {
    let mut program = program();
    let spin = mutex(QUEUE, 1).of(LockKind::Spin);
    program.count(spin, 10);
    program.waits(spin, &[500], |_| {});
    let profile = program.profile();
    let split = lock(&profile, "queue").wait_split.clone().unwrap();
    assert_eq!((split.spinning_ns, split.blocked_ns), (Some(500), 0));
}

#[test]
fn holds_add_up_by_lock_site_and_pool() {
    let mut program = program();
    program.part.birth(1, BirthBy::Initialisation, &[3, 4]);
    store!(program.part.header(), added_ps_per_pair = 5_000);
    program.count(mutex(QUEUE, 1), 100);
    program.count(mutex(QUEUE, 2), 100);
    program.holds(mutex(QUEUE, 1), &[100, 300], 50);
    program.holds(mutex(QUEUE, 2), &[10], 100);
    for number in 0..50 {
        program.count(mutex(HEAP + 64 * number, 1).born(1), 2);
    }
    program.holds(mutex(HEAP, 1).born(1), &[5], 2);
    program.holds(mutex(POOLED, 1).born(1), &[1, 2, 3], 33);
    let profile = program.profile();

    let queue = lock(&profile, "queue");
    let hold = queue.hold_ns.as_ref().unwrap();
    assert_eq!((hold.total, hold.max, hold.sampled), (21_000, 300, 3));
    assert_eq!(hold.log2.iter().sum::<u64>(), 3);
    let by_site: Vec<_> = queue
        .sites
        .iter()
        .map(|it| (function(&it.frames), it.hold_ns))
        .collect();
    assert_eq!(by_site, [("push", Some(20_000)), ("pop", Some(1_000))]);
    assert!(!queue.recorder_dominates);

    let heap = lock(&profile, "lock made in make_queue (server.cc:30)");
    let hold = heap.hold_ns.as_ref().unwrap();
    assert_eq!((hold.total, hold.sampled), (10 + 198, 4));
    assert_eq!(heap.members[0].hold_ns, Some(10));
    assert_eq!(heap.members[1].hold_ns, None);
    // 208 ns for 100 holds, each of which costs 5 ns more to record.
    assert!(heap.recorder_dominates);
}

#[test]
fn holds_of_a_pool_belong_to_the_row_that_was_acquired_most_there() {
    for (queue, stack) in [(3, 10), (10, 3)] {
        let mut program = program();
        program.variable("stack", QUEUE + 0x100, 40);
        program.part.birth(1, BirthBy::FirstUse, &[1, 4]);
        program.count(mutex(QUEUE, 1).born(1), queue);
        program.count(mutex(QUEUE + 0x100, 1).born(1), stack);
        program.holds(mutex(POOLED, 1).born(1), &[100], 1);
        let profile = program.profile();
        let held = |name| lock(&profile, name).hold_ns.is_some();
        assert_eq!(
            (held("queue"), held("stack")),
            (queue > stack, stack > queue)
        );
    }
}

#[test]
fn holds_of_a_pool_belong_to_the_first_row_where_all_were_acquired_alike() {
    // More than two rows, so that the order of a hash map is seldom right by chance.
    let mut program = Program::new(1);
    program.part.birth(1, BirthBy::FirstUse, &[1, 4]);
    let names: Vec<String> = (0..12).map(|number| format!("lock_{number}")).collect();
    for (address, name) in (0..).map(|number| DATA + 0x40 * number).zip(&names) {
        program.variable(name, address, 40);
        program.count(mutex(address, 1).born(1), 7);
    }
    program.holds(mutex(POOLED, 1).born(1), &[100], 1);
    let profile = program.profile();
    let held = names
        .iter()
        .filter(|name| lock(&profile, name).hold_ns.is_some());
    assert_eq!(held.collect::<Vec<_>>(), ["lock_0"]);
}

#[test]
fn blame_adds_up_to_the_wait_of_each_waiter() {
    let mut program = program();
    program.count(mutex(QUEUE, 1), 10);
    program.count(mutex(QUEUE, 2), 10);
    program.waits(mutex(QUEUE, 1), &[600, 400], |_| {});
    program.waits(mutex(QUEUE, 2), &[5_000], |_| {});
    // A rounding short of 1000; and half of 5000.
    program.blame(mutex(QUEUE, 1), 1, 1, 333);
    program.blame(mutex(QUEUE, 1), 2, 1, 666);
    program.blame(mutex(QUEUE, 2), 1, 1, 2_500);
    let profile = program.profile();
    let blame: Vec<_> = lock(&profile, "queue")
        .blame
        .iter()
        .map(|it| {
            (
                function(&it.waiter),
                it.holder.as_deref().map(function),
                it.wait_ns,
            )
        })
        .collect();
    assert_eq!(
        blame,
        [
            ("pop", Some("push"), 2_500),
            ("pop", None, 2_500),
            ("push", Some("pop"), 667),
            ("push", Some("push"), 333),
        ]
    );
}

#[test]
fn waiting_for_a_condition_is_a_signal_and_its_mutex_a_lock() {
    let mut program = program();
    program.variable("ready", QUEUE + 0x40, 48);
    let ready = mutex(QUEUE + 0x40, 2).of(LockKind::Condvar);
    let wait = ready.by(EntryPoint::Wait);
    program.count(wait, 7);
    program.waits(wait, &[1_000, 3_000], |contention| {
        store!(contention, relock_ns = 50)
    });
    program.count(ready.by(EntryPoint::Signal), 6);
    program.count(ready.by(EntryPoint::Broadcast), 2);
    program.count(mutex(QUEUE, 2).by(EntryPoint::ConditionWait), 7);
    program.waits(mutex(QUEUE, 2).by(EntryPoint::ConditionWait), &[40], |_| {});
    let profile = program.profile();
    let ready = lock(&profile, "ready");
    assert_eq!(
        (ready.used_as, ready.acquisitions, ready.wait_ns.total),
        (Use::Signal, None, 0)
    );
    // Only semaphores have two sorts, which the id distinguishes.
    assert_eq!(ready.id, "condvar:server:ready");
    let signal = ready.signal.as_ref().unwrap();
    assert_eq!(
        (signal.waits, signal.blocked, signal.relock_ns),
        (Some(7), 2, Some(50))
    );
    assert_eq!(
        (signal.signals, signal.broadcasts, signal.wait_ns.total),
        (Some(6), Some(2), 4_000)
    );
    let queue = lock(&profile, "queue");
    assert_eq!((queue.acquisitions, queue.wait_ns.total), (Some(7), 40));
    assert_eq!((profile.wait_ns, profile.signal_wait_ns), (40, 4_000));
    // Locks that were waited for come before signals, however long those took.
    assert_eq!(profile.locks[0].name, "queue");
}

#[test]
fn a_semaphore_is_what_its_posts_make_it() {
    for (own, others, used_as) in [(6, 5, Use::Lock), (5, 5, Use::Signal)] {
        let mut program = program();
        let semaphore = mutex(QUEUE, 1).of(LockKind::Semaphore);
        program.count(semaphore, 9);
        program.waits(semaphore, &[700], |_| {});
        program.count(semaphore.by(EntryPoint::Release), own);
        program.count(semaphore.by(EntryPoint::Post), others);
        let profile = program.profile();
        let row = lock(&profile, "queue");
        assert_eq!(row.used_as, used_as);
        let id = match used_as {
            Use::Lock => "semaphore:server:queue",
            Use::Signal => "signal-semaphore:server:queue",
        };
        assert_eq!(row.id, id);
        match &row.signal {
            Some(signal) => assert_eq!(
                (signal.waits, signal.signals),
                (Some(9), Some(own + others))
            ),
            None => assert_eq!((row.acquisitions, row.wait_ns.total), (Some(9), 700)),
        }
    }
}

#[test]
fn a_futex_word_is_what_its_stacks_say() {
    let mut program = program();
    program.part.birth(1, BirthBy::FirstUse, &[6, 1, 4]);
    program.part.birth(2, BirthBy::FirstUse, &[7, 2, 4]);
    for (address, birth) in [(HEAP, 1), (HEAP + 64, 2)] {
        let word = mutex(address, 5 + birth)
            .of(LockKind::Futex)
            .by(EntryPoint::Wait)
            .born(birth);
        program.count(word, 3);
        program.waits(word, &[800], |_| {});
        program.stack_waits(word, birth, 1, 800);
    }
    let profile = program.profile();
    let word = lock(&profile, "lock first taken in push (server.cc:10)");
    assert_eq!(
        (word.used_as, word.acquisitions, word.contended),
        (Use::Lock, None, 1)
    );
    assert_eq!(word.sites[0].acquisitions, None);
    let calls: Vec<_> = word.stacks[0]
        .frames
        .iter()
        .map(|it| it.function.clone().unwrap())
        .collect();
    assert_eq!(calls[1..], ["push", "main"]);
    let signal = lock(&profile, "event first waited for in pop (server.cc:20)");
    assert_eq!(
        (signal.used_as, signal.kind),
        (Use::Signal, locktoll_results::profile::LockKind::Futex)
    );
    assert_eq!(signal.signal.as_ref().unwrap().waits, Some(3));
}

#[test]
fn waits_inside_a_library_are_those_of_the_programs_calls_that_led_there() {
    let mut program = program();
    program.part.birth(1, BirthBy::FirstUse, &[6, 1, 4]);
    program.part.birth(2, BirthBy::FirstUse, &[6, 2, 4]);
    program.part.birth(3, BirthBy::FirstUse, &[6, 2, 8]);
    let word = mutex(HEAP, 6)
        .of(LockKind::Futex)
        .by(EntryPoint::Wait)
        .born(1);
    program.count(word, 7);
    program.waits(word, &[100, 200, 300, 400, 1_000], |_| {});
    program.stack_waits(word, 1, 1, 400);
    program.stack_waits(word, 2, 1, 100);
    program.stack_waits(word, 3, 2, 500);
    let profile = program.profile();
    let row = lock(&profile, "lock first taken in push (server.cc:10)");
    assert_eq!(function(&row.first_site[1..]), "push");
    let asked = |frames: &[locktoll_results::profile::Frame]| {
        frames.last().unwrap().function.clone().unwrap()
    };
    let sites: Vec<_> = row
        .sites
        .iter()
        .map(|site| (asked(&site.frames), site.contended, site.wait_ns))
        .collect();
    // No stack was kept of the wait of 1000 ns.
    let library = super::program::FUNCTIONS[5].to_owned();
    let expected = [
        (library, 1, 1_000),
        ("pop".to_owned(), 3, 600),
        ("push".to_owned(), 1, 400),
    ];
    assert_eq!(sites, expected);
    let blame: Vec<_> = row
        .blame
        .iter()
        .map(|it| (asked(&it.waiter), it.count, it.wait_ns))
        .collect();
    assert_eq!(blame, expected);
}

#[test]
fn callers_known_by_their_waits_claim_no_acquisitions_while_others_are_unknown() {
    for (acquisitions, known) in [(90, false), (3, true)] {
        let mut program = program();
        program.part.birth(1, BirthBy::FirstUse, &[5, 1, 4]);
        program.part.birth(2, BirthBy::FirstUse, &[5, 2, 4]);
        let wrapped = mutex(QUEUE, 5);
        program.count(wrapped, acquisitions);
        program.waits(wrapped, &[100, 200, 300], |_| {});
        program.stack_waits(wrapped, 1, 1, 100);
        program.stack_waits(wrapped, 2, 2, 500);
        let profile = program.profile();
        let outermost = |site: &locktoll_results::profile::Site| {
            site.frames.last().unwrap().function.clone().unwrap()
        };
        let sites: Vec<_> = lock(&profile, "queue")
            .sites
            .iter()
            .map(|site| (outermost(site), site.acquisitions, site.contended))
            .collect();
        let mut expected = vec![
            ("pop".to_owned(), known.then_some(2), 2),
            ("push".to_owned(), known.then_some(1), 1),
        ];
        if !known {
            expected.push(("std::mutex::lock()".to_owned(), Some(90), 0));
        }
        assert_eq!(sites, expected);
    }
}

#[test]
fn readers_are_counted_apart() {
    let mut program = program();
    let lock_of = mutex(QUEUE, 1).of(LockKind::RwLock);
    program.count(lock_of, 3);
    program.count(lock_of.by(EntryPoint::ReadLock), 40);
    program.count(lock_of.by(EntryPoint::TryReadLock), 2);
    let profile = program.profile();
    let row = lock(&profile, "queue");
    assert_eq!(
        (row.acquisitions, row.read_acquisitions),
        (Some(45), Some(42))
    );
}

#[test]
fn what_happened_while_a_lock_was_held_adds_up() {
    use std::sync::atomic::Ordering::Relaxed;

    use locktoll_recording::layout::{CALL_COUNT_BITS, HoldRecord, call_number};
    let mut program = program();
    program.count(mutex(QUEUE, 1), 9);
    for slot in 1..=2 {
        program.part.one(slot, |hold: &HoldRecord| {
            store!(hold, lock = QUEUE, site = 1, kind = 1, entry = 1);
            store!(hold, timed = 2, max_ns = 70, estimated_total_ns = 300);
            store!(hold, examined = 3, blocked = 1, system_calls = 5);
            store!(hold, voluntary_switches = 7, involuntary_switches = 2);
            store!(hold, off_cpu_ns = 40, gaps = 6, gap_ns = 900);
            for (place, (call, count, ns)) in [("read", 3, 50), ("fdatasync", 4, 800)]
                .into_iter()
                .enumerate()
            {
                let number = u64::from(call_number(call)) << CALL_COUNT_BITS;
                hold.calls[place].store(number | count, Relaxed);
                hold.call_ns[place].store(ns, Relaxed);
            }
        });
    }
    let profile = program.profile();
    let queue = lock(&profile, "queue");
    let held = queue.while_held.as_ref().unwrap();
    assert_eq!((held.examined, held.blocked, held.system_calls), (6, 2, 10));
    assert_eq!(
        (held.voluntary_switches, held.involuntary_switches),
        (14, 4)
    );
    let calls = held
        .calls
        .iter()
        .map(|it| (it.call.as_str(), it.count, it.total_ns));
    assert_eq!(
        calls.collect::<Vec<_>>(),
        [("fdatasync", 8, 1_600), ("read", 6, 100)]
    );
    // No program watched for preempted holders, so they are estimated.
    let estimate = queue.preemption.as_ref().unwrap();
    assert_eq!((estimate.count, estimate.total_ns), (4 + 12, 80 + 1_800));
    assert_eq!(estimate.examined, Some(6));
}
