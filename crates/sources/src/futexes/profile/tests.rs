//! From made-up waits to locks.

use std::collections::HashMap;

use super::calls::Stacks;
use super::facts;
use super::identity::Statics;
use super::names::Names;
use super::rows::Rows;
use crate::futexes::gathered::{Gathered, Owner, Wait, Waiting, Wake};
use crate::futexes::process::{Processes, Subject};
use crate::joiner;
use locktoll_results::profile::{Frame, Lock, LockKind, Use};

const FUNCTIONS: &[(u64, &str)] = &[
    (1, "__lll_lock_wait"),
    (2, "pthread_mutex_lock"),
    (3, "pthread_cond_wait"),
    (4, "pthread_mutex_unlock"),
    (5, "sem_wait"),
    (6, "sem_post"),
    (7, "parking_lot_core::thread_parker::ThreadParker::park"),
    (8, "parking_lot::raw_mutex::RawMutex::lock_slow"),
    (9, "__pthread_clockjoin_ex"),
    (10, "pthread_rwlock_wrlock"),
    (11, "std::sys::sync::mutex::futex::Mutex::lock_contended"),
    (12, "std::sys::sync::condvar::futex::Condvar::wait"),
    (20, "take_order"),
    (21, "serve"),
    (22, "close_shop"),
];

/// The process to which the waits are attributed.
const PROCESS: u32 = 7;
/// Another process that runs the same program.
const OTHER: u32 = 8;

#[derive(Default)]
struct Shop {
    gathered: Gathered,
    duration_ns: u64,
}

impl Shop {
    fn stack(&mut self, addresses: &[u64]) -> u32 {
        let number = self.gathered.stacks.len() as u32 + 1;
        self.gathered.stacks.insert(number, addresses.to_vec());
        self.gathered.stack_process.insert(number, PROCESS);
        number
    }

    fn wait(&mut self, word: u64, addresses: &[u64], waits: u64, total_ns: u64) -> &mut Wait {
        let stack = self.stack(addresses);
        self.gathered.waits.push(Wait {
            process: PROCESS,
            word,
            stack,
            woken: waits,
            total_ns,
            max_ns: total_ns,
            log2: vec![0, waits],
            ..Wait::default()
        });
        self.gathered.waits.last_mut().unwrap()
    }

    fn wake(&mut self, word: u64, addresses: &[u64], calls: u64) {
        let stack = self.stack(addresses);
        self.gathered.wakes.push(Wake {
            process: PROCESS,
            word,
            stack,
            calls,
            woken: calls,
            ..Wake::default()
        });
    }

    fn locks(&self) -> Vec<Lock> {
        let names = Names::made_up(&[PROCESS, OTHER], FUNCTIONS);
        let stacks = Stacks::of(&self.gathered, &names);
        let subject = Subject::of(std::process::id()).unwrap();
        // Its memory has nothing to do with the made-up addresses.
        let processes = Processes::begin([(u32::MAX, subject)]);
        let mut statics = Statics::of(&processes);
        let rows = Rows::of(&self.gathered, &stacks, &mut statics, self.duration_ns);
        joiner::locks(facts::facts(rows, &stacks, &statics, &processes)).0
    }
}

fn by_name(locks: &[Lock]) -> HashMap<&str, &Lock> {
    locks
        .iter()
        .map(|lock| (lock.name.as_str(), lock))
        .collect()
}

#[test]
fn a_condition_variable_is_one_row_and_the_mutex_acquired_again_in_it_another() {
    let mut shop = Shop::default();
    shop.wait(0x1028, &[3, 20], 3, 300);
    shop.wait(0x102c, &[3, 20], 4, 500);
    // A wait for the mutex within pthread_cond_wait: other calls treat it as a mutex.
    shop.wait(0x2000, &[1, 3, 20], 1, 70);
    shop.wait(0x2000, &[1, 2, 21], 2, 30);
    let locks = shop.locks();
    assert_eq!(locks.len(), 2, "{locks:#?}");
    let (mutex, condition) = (&locks[0], &locks[1]);
    assert_eq!(
        (mutex.kind, mutex.used_as, mutex.contended),
        (LockKind::Mutex, Use::Lock, 3)
    );
    assert_eq!(mutex.wait_ns.total, 100);
    assert_eq!(mutex.sites.len(), 2);
    let signal = condition.signal.as_ref().unwrap();
    assert_eq!(
        (condition.kind, condition.instances),
        (LockKind::Condvar, 1)
    );
    assert_eq!(
        (signal.blocked, signal.wait_ns.total, condition.contended),
        (7, 800, 0)
    );
    assert_eq!(
        (signal.waits, signal.relock_ns, signal.signals),
        (None, None, None)
    );
    assert_eq!(
        condition.name,
        "condition variable waited for in take_order"
    );
}

#[test]
fn locks_of_one_place_share_a_row_and_calls_that_did_not_wait_are_told_apart() {
    let mut shop = Shop::default();
    for (word, total_ns) in [(0x5000, 100), (0x6000, 300)] {
        shop.wait(word, &[1, 2, 21], 2, total_ns).timed_out = 1;
    }
    shop.gathered.waits.push(Wait {
        process: PROCESS,
        word: 0x5000,
        again: 40,
        ..Wait::default()
    });
    shop.wake(0x5000, &[4, 21], 9);
    let locks = shop.locks();
    let lock = &locks[0];
    assert_eq!((locks.len(), lock.instances), (1, 2));
    assert_eq!(
        (lock.contended, lock.timed_out, lock.acquisitions),
        (6, 2, None)
    );
    let dearest: Vec<(u64, u64)> = lock
        .members
        .iter()
        .map(|it| (it.address, it.wait_ns))
        .collect();
    assert_eq!(dearest, [(0x6000, 300), (0x5000, 100)]);
    let calls = lock.futex.as_ref().unwrap();
    assert_eq!((calls.woken, calls.again, calls.wakes), (4, 40, Some(9)));
    assert_eq!(lock.id, "mutex:app:first:serve");
    let split = lock.wait_split.as_ref().unwrap();
    assert_eq!((split.spinning_ns, split.blocked_ns), (None, 400));
}

#[test]
fn a_place_that_never_waited_is_no_place_of_the_lock() {
    let mut shop = Shop::default();
    shop.wait(0x2000, &[1, 2, 20], 2, 30);
    shop.wait(0x2000, &[1, 2, 21], 0, 0).again = 5;
    let locks = shop.locks();
    assert_eq!(locks.len(), 1, "{locks:#?}");
    assert_eq!(locks[0].sites.len(), 1, "{:#?}", locks[0].sites);
    assert_eq!(locks[0].futex.as_ref().unwrap().again, 5);
}

#[test]
fn a_semaphore_is_a_lock_where_those_who_wait_for_it_post_it() {
    let used = |posts_in: u64| {
        let mut shop = Shop::default();
        shop.wait(0x3000, &[5, 20], 1, 10);
        shop.wake(0x3000, &[6, posts_in], 1);
        shop.locks()[0].used_as
    };
    assert_eq!(used(20), Use::Lock);
    assert_eq!(used(21), Use::Signal);
}

#[test]
fn words_of_threads_are_told_by_their_places_and_a_threads_end_is_no_lock() {
    let mut shop = Shop::default();
    // One thread, two locks.
    shop.wait(0x4000, &[7, 8, 20], 5, 500);
    shop.wait(0x4000, &[7, 8, 21], 3, 300);
    shop.wait(0x9000, &[9, 22], 1, 900);
    let locks = shop.locks();
    let named = by_name(&locks);
    for (name, wait_ns) in [
        ("lock waited for in take_order", 500),
        ("lock waited for in serve", 300),
    ] {
        let lock = named
            .get(name)
            .unwrap_or_else(|| panic!("{name} in {:?}", named.keys()));
        assert_eq!((lock.wait_ns.total, lock.used_as), (wait_ns, Use::Lock));
    }
    let end = named["end of a thread waited for in close_shop"];
    assert_eq!((end.used_as, end.contended), (Use::Signal, 0));
}

#[test]
fn owners_are_blamed_and_threads_that_still_wait_are_told() {
    let mut shop = Shop {
        duration_ns: 1_000,
        ..Shop::default()
    };
    shop.wait(0x5000, &[1, 2, 21], 4, 400);
    shop.gathered.owners = vec![Owner {
        process: PROCESS,
        word: 0x5000,
        thread: 99,
        count: 3,
        wait_ns: 350,
    }];
    let waiting = |thread, word, owner, wait_ns| Waiting {
        process: PROCESS,
        thread,
        word,
        owner,
        wait_ns,
        ..Waiting::default()
    };
    shop.gathered.waiting = vec![
        waiting(11, 0x5000, 99, Some(70)),
        // Two waits that have gone on since before watching began, for a lock and for an unknown purpose.
        waiting(12, 0x7000, 99, None),
        waiting(13, 0x8000, 0, None),
    ];
    let locks = shop.locks();
    let held = locks.iter().find(|it| it.wait_ns.total == 400).unwrap();
    assert_eq!((held.still_waiting, held.still_waiting_ns), (1, 70));
    let owner = held.blame[0].holder_thread.as_ref().unwrap();
    assert_eq!(
        (owner.tid, held.blame[0].wait_ns, held.blame[0].count),
        (99, 350, 3)
    );
    let stuck = locks.iter().filter(|it| it.still_waiting_ns == 1_000);
    let mut stuck: Vec<Use> = stuck.map(|it| it.used_as).collect();
    stuck.sort();
    assert_eq!(stuck, [Use::Lock, Use::Signal]);
}

#[test]
fn who_waits_and_who_wakes_are_not_confused() {
    let mut shop = Shop::default();
    let waker = shop.stack(&[4, 20]);
    shop.wait(0x5000, &[1, 2, 21], 3, 300).waker_stack = waker;
    let locks = shop.locks();
    let woken_by = &locks[0].woken_by[0];
    let outermost = |frames: &[Frame]| frames.last().and_then(|it| it.function.clone());
    assert_eq!(outermost(&woken_by.waiter).as_deref(), Some("serve"));
    let waker = woken_by.waker.as_ref().unwrap();
    assert_eq!(outermost(waker).as_deref(), Some("take_order"));
    assert_eq!((woken_by.count, woken_by.wait_ns), (3, 300));
}

#[test]
fn those_who_wake_at_two_places_are_told_apart() {
    let mut shop = Shop::default();
    // Both waits are at one place.
    for (waker, waits, total_ns) in [(20, 3, 300), (22, 5, 700)] {
        let waker = shop.stack(&[4, waker]);
        shop.wait(0x5000, &[1, 2, 21], waits, total_ns).waker_stack = waker;
    }
    let locks = shop.locks();
    let outermost = |frames: &[Frame]| frames.last().and_then(|it| it.function.clone());
    let woken_by: Vec<_> = locks[0]
        .woken_by
        .iter()
        .map(|it| {
            let waker = it.waker.as_deref().and_then(outermost);
            (waker.unwrap_or_default(), it.count, it.wait_ns)
        })
        .collect();
    let expected = [("close_shop", 5, 700), ("take_order", 3, 300)];
    let expected = expected.map(|(waker, count, wait_ns)| (waker.to_owned(), count, wait_ns));
    assert_eq!(woken_by, expected);
}

#[test]
fn an_owner_makes_a_word_a_lock_and_nobody_waits_longer_than_was_watched() {
    let waiting = |thread, word, owner| Waiting {
        process: PROCESS,
        thread,
        word,
        owner,
        wait_ns: Some(5_000),
        ..Waiting::default()
    };
    let shop = Shop {
        duration_ns: 1_000,
        gathered: Gathered {
            waiting: vec![waiting(12, 0x7000, 99), waiting(13, 0x8000, 0)],
            ..Gathered::default()
        },
    };
    for lock in shop.locks() {
        let longest = lock.longest_still_waiting.as_ref().unwrap();
        let used_as = if longest.tid == 12 {
            Use::Lock
        } else {
            Use::Signal
        };
        assert_eq!((lock.used_as, lock.still_waiting_ns), (used_as, 1_000));
    }
}

#[test]
fn a_futex_word_that_says_both_alike_is_taken_for_a_lock() {
    let used = |signal_ns: u64| {
        let mut shop = Shop::default();
        shop.wait(0x3000, &[11, 20], 1, 100);
        shop.wait(0x3000, &[12, 20], 1, signal_ns);
        let locks = shop.locks();
        assert_eq!((locks.len(), locks[0].kind), (1, LockKind::Futex));
        locks[0].used_as
    };
    assert_eq!(used(100), Use::Lock);
    assert_eq!(used(101), Use::Signal);
}
