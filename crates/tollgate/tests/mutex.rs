//! The mutex for Rust programs: exclusion, the ends of waits, fair releases, and guards that go in unusual ways.
#![cfg(not(locktoll_loom))]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use locktoll_lock_checks::guard::Guard;
use tollgate::{MappedMutexGuard, Mutex, MutexGuard, RawMutex};

const A_MOMENT: Duration = Duration::from_millis(20);

/// Waits until another thread sleeps at the mutex or will do so soon: nothing shows that from outside.
fn let_it_wait() {
    thread::sleep(A_MOMENT);
}

#[test]
fn what_all_threads_count_is_complete() {
    let _guard = Guard::new();
    let count = Mutex::new(0_u64);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..10_000).for_each(|_| *count.lock() += 1));
        }
    });
    assert_eq!(count.into_inner(), 80_000);
}

#[test]
fn a_held_mutex_is_refused_and_a_wait_ends_in_time() {
    let mutex = Mutex::new(1);
    let held = mutex.lock();
    assert!(mutex.try_lock().is_none());
    let begin = Instant::now();
    assert!(mutex.try_lock_for(A_MOMENT).is_none());
    assert!(begin.elapsed() >= A_MOMENT, "not before its end");
    let until = Instant::now() + A_MOMENT;
    assert!(mutex.try_lock_until(until).is_none());
    assert!(Instant::now() >= until, "not before its end");
    drop(held);
    assert!(mutex.try_lock_for(Duration::ZERO).is_some());
    assert!(
        mutex.try_lock_until(until).is_some(),
        "a free mutex is acquired, however late"
    );
    assert!(!mutex.is_locked());
}

#[test]
fn a_wait_with_an_end_takes_the_mutex_that_becomes_free() {
    let _guard = Guard::new();
    let mutex = Mutex::new(());
    let held = mutex.lock();
    thread::scope(|scope| {
        let waiter = scope.spawn(|| mutex.try_lock_for(Duration::MAX).is_some());
        let_it_wait();
        drop(held);
        assert!(waiter.join().unwrap());
    });
}

/// How often the thread that asks again and again comes in before one that sleeps, if it releases so.
fn overtakings(release: impl Fn(MutexGuard<'_, ()>)) -> u32 {
    let mutex = Mutex::new(());
    let came_in = AtomicBool::new(false);
    let held = mutex.lock();
    thread::scope(|scope| {
        scope.spawn(|| {
            let _held = mutex.lock();
            came_in.store(true, Relaxed);
        });
        let_it_wait();
        release(held);
        let mut overtaken = 0;
        loop {
            let held = mutex.lock();
            if came_in.load(Relaxed) {
                return overtaken;
            }
            overtaken += 1;
            release(held);
        }
    })
}

/// The other thread may not sleep yet when the mutex is released, so the best of a few tries is taken. A release that is not fair
/// lets this thread come in again hundreds of times.
#[test]
fn a_fair_release_is_not_overtaken() {
    let _guard = Guard::new();
    #[expect(clippy::redundant_closure, reason = "the function is for one lifetime")]
    let fewest = (0..10)
        .map(|_| overtakings(|held| MutexGuard::unlock_fair(held)))
        .min();
    assert_eq!(fewest, Some(0));
}

#[test]
fn a_bump_lets_a_sleeper_in() {
    let _guard = Guard::new();
    let turns = AtomicU32::new(0);
    let mutex = Mutex::new(());
    let mut held = mutex.lock();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let _held = mutex.lock();
                turns.fetch_add(1, Relaxed);
            });
        }
        // Each bump hands over to one of them at least, once they sleep; without sleepers it keeps the mutex.
        while turns.load(Relaxed) < 3 {
            MutexGuard::bump(&mut held);
            thread::yield_now();
        }
        assert!(mutex.is_locked());
    });
    MutexGuard::bump(&mut held);
    assert!(mutex.is_locked());
}

#[test]
fn fair_releases_beside_others_lose_nothing() {
    let _guard = Guard::new();
    let count = Mutex::new(0_u64);
    thread::scope(|scope| {
        for kind in 0..6 {
            let count = &count;
            scope.spawn(move || {
                for _ in 0..2_000 {
                    let mut held = count.lock();
                    *held += 1;
                    match kind % 3 {
                        0 => MutexGuard::unlock_fair(held),
                        1 => MutexGuard::bump(&mut held),
                        _ => {}
                    }
                }
            });
        }
    });
    assert_eq!(count.into_inner(), 12_000);
}

#[test]
fn without_the_mutex_others_come_in_and_afterwards_it_is_held() {
    let mutex = Mutex::new(0);
    let mut held = mutex.lock();
    let result = MutexGuard::unlocked(&mut held, || {
        *mutex.try_lock().expect("free") += 1;
        7
    });
    assert_eq!((result, *held), (7, 1));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        MutexGuard::unlocked(&mut held, || panic!("in the middle"));
    }));
    assert!(panicked.is_err());
    assert!(mutex.is_locked(), "it is held by the guard that is there");
    drop(held);
    assert!(mutex.try_lock().is_some());
}

#[test]
fn a_panic_releases_the_mutex() {
    let mutex = Mutex::new(0);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let mut held = mutex.lock();
        *held = 1;
        panic!("in the middle");
    }));
    assert!(panicked.is_err());
    assert_eq!(*mutex.lock(), 1);
}

#[test]
fn a_part_is_held_as_long_as_its_guard() {
    let mutex = Mutex::new((1, String::from("a")));
    let mut text = MutexGuard::map(mutex.lock(), |all| &mut all.1);
    text.push('b');
    assert!(mutex.is_locked());
    let byte = MappedMutexGuard::map(text, |text| text.as_mut_str());
    assert_eq!(&*byte, "ab");
    assert!(mutex.is_locked());
    drop(byte);
    assert!(!mutex.is_locked());
    // A panic in between releases it, too.
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _part: MappedMutexGuard<'_, i32> =
            MutexGuard::map(mutex.lock(), |_| panic!("in the middle"));
    }));
    assert!(panicked.is_err());
    assert!(!mutex.is_locked());
}

#[test]
fn it_shows_its_data_unless_it_is_held() {
    let mutex = Mutex::new(5);
    assert_eq!(format!("{mutex:?}"), "Mutex { data: 5 }");
    let held = mutex.lock();
    assert_eq!(format!("{mutex:?}"), "Mutex { data: <locked> }");
    assert_eq!(format!("{held:?} {held}"), "5 5");
}

#[test]
fn data_without_a_size_can_be_protected() {
    let mutex: Box<Mutex<[u8]>> = Box::new(Mutex::new([1, 2, 3]));
    mutex.lock()[1] = 9;
    assert_eq!(*mutex.lock(), [1, 9, 3]);
}

#[test]
fn it_is_as_small_as_is_promised_and_goes_where_it_may() {
    fn is_sync<T: Sync>() {}
    fn is_send<T: Send>() {}
    assert_eq!(size_of::<RawMutex>(), 16);
    assert_eq!(size_of::<Mutex<u64>>(), 24);
    assert_eq!(size_of::<tollgate::Condvar>(), 24);
    // `Cell` is `Send` alone.
    is_sync::<Mutex<std::cell::Cell<u8>>>();
    is_send::<Mutex<std::cell::Cell<u8>>>();
    is_sync::<MutexGuard<'_, u8>>();
}
