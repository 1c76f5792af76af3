//! The condition variable for Rust programs: order, ends of waits, one for several mutexes, and waiters that are moved.
#![cfg(not(locktoll_loom))]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use locktoll_lock_checks::guard::Guard;
use tollgate::{Condvar, Mutex};

const A_MOMENT: Duration = Duration::from_millis(20);

#[test]
fn a_queue_loses_nothing() {
    let _guard = Guard::new();
    let queue = Mutex::new(VecDeque::new());
    let (filled, emptied) = (Condvar::new(), Condvar::new());
    let sum = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1_000 {
                    let mut queue = queue.lock();
                    filled.wait_while(&mut queue, |queue| queue.is_empty());
                    sum.fetch_add(queue.pop_front().unwrap(), Relaxed);
                    emptied.notify_one();
                }
            });
            scope.spawn(|| {
                for number in 0..1_000 {
                    let mut queue = queue.lock();
                    emptied.wait_while(&mut queue, |queue| queue.len() >= 2);
                    queue.push_back(number);
                    filled.notify_one();
                }
            });
        }
    });
    assert_eq!(sum.into_inner(), 4 * 499_500);
}

/// Starts threads that wait, and returns when all of them do.
fn waiting<'scope, 'a: 'scope>(
    scope: &'scope thread::Scope<'scope, 'a>,
    threads: u32,
    mutex: &'a Mutex<(u32, u32)>,
    changed: &'a Condvar,
) {
    for _ in 0..threads {
        scope.spawn(|| {
            let mut state = mutex.lock();
            state.0 += 1;
            changed.wait(&mut state);
            state.1 += 1;
        });
    }
    // A thread that counts itself is in the queue before it releases the mutex.
    while mutex.lock().0 < threads {
        thread::yield_now();
    }
}

#[test]
fn all_are_notified_whether_the_mutex_is_held_or_not() {
    let _guard = Guard::new();
    for held in [true, false] {
        let (mutex, changed) = (Mutex::new((0, 0)), Condvar::new());
        thread::scope(|scope| {
            waiting(scope, 16, &mutex, &changed);
            let guard = held.then(|| mutex.lock());
            changed.notify_all();
            if let Some(guard) = guard {
                assert_eq!(guard.1, 0, "nobody returns while it is held");
            }
        });
        assert_eq!(mutex.into_inner(), (16, 16));
    }
}

#[test]
fn one_is_notified_at_a_time() {
    let _guard = Guard::new();
    let (mutex, changed) = (Mutex::new((0, 0)), Condvar::new());
    thread::scope(|scope| {
        waiting(scope, 4, &mutex, &changed);
        for notified in 1..=4 {
            changed.notify_one();
            while mutex.lock().1 < notified {
                thread::yield_now();
            }
            thread::sleep(A_MOMENT / 10);
            assert_eq!(mutex.lock().1, notified);
        }
    });
}

/// Threads that wait with two mutexes at the same time are not moved to the queue of one of them.
#[test]
fn one_for_two_mutexes_wakes_the_waiters_of_both() {
    let _guard = Guard::new();
    let changed = Condvar::new();
    let mutexes = [Mutex::new((0, 0)), Mutex::new((0, 0))];
    for _ in 0..20 {
        for mutex in &mutexes {
            *mutex.lock() = (0, 0);
        }
        thread::scope(|scope| {
            for mutex in &mutexes {
                waiting(scope, 3, mutex, &changed);
            }
            let _first = mutexes[0].lock();
            changed.notify_all();
            // They have the other mutex, though this one is held.
            while mutexes[1].lock().1 < 3 {
                thread::yield_now();
            }
        });
        for mutex in &mutexes {
            assert_eq!(*mutex.lock(), (3, 3));
        }
    }
}

#[test]
fn a_wait_ends_in_time_and_holds_the_mutex() {
    let (mutex, changed) = (Mutex::new(0), Condvar::new());
    let mut guard = mutex.lock();
    let begin = Instant::now();
    assert!(changed.wait_timeout(&mut guard, A_MOMENT).timed_out());
    assert!(begin.elapsed() >= A_MOMENT);
    let until = Instant::now() + A_MOMENT;
    assert!(changed.wait_until(&mut guard, until).timed_out());
    assert!(Instant::now() >= until);
    let begin = Instant::now();
    let result = changed.wait_timeout_while(&mut guard, A_MOMENT, |count| *count == 0);
    assert!(result.timed_out() && begin.elapsed() >= A_MOMENT);
    let result = changed.wait_timeout_while(&mut guard, Duration::MAX, |count| *count == 1);
    assert!(!result.timed_out());
    assert!(mutex.is_locked());
}

#[test]
fn a_notification_comes_before_the_end_of_a_long_wait() {
    let _guard = Guard::new();
    let (ready, changed) = (Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        let mut guard = ready.lock();
        scope.spawn(|| {
            *ready.lock() = true;
            changed.notify_all();
        });
        let result = changed.wait_timeout_while(&mut guard, Duration::MAX, |ready| !*ready);
        assert!(!result.timed_out() && *guard);
    });
}
