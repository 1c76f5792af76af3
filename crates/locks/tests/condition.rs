//! The condition variable under real threads, more of them than processors.
#![cfg(not(locktoll_loom))]

use locktoll_lock_checks::guard::Guard;

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use locktoll_locks::{Condition, Deadline, DeadlineClock, Futex3, RawLock, Tollgate};

/// A queue with room for a few numbers.
struct Channel<R> {
    lock: R,
    has_items: Condition,
    has_room: Condition,
    items: UnsafeCell<VecDeque<u64>>,
}

// SAFETY: the items are touched under the lock; that the threads agree on them is what the test is about.
unsafe impl<R: RawLock> Sync for Channel<R> {}

const ROOM: usize = 4;

impl<R: RawLock> Channel<R> {
    fn new() -> Self {
        Self {
            lock: R::new(),
            has_items: Condition::new(),
            has_room: Condition::new(),
            items: UnsafeCell::new(VecDeque::new()),
        }
    }

    fn with<T>(
        &self,
        condition: &Condition,
        mut ready: impl FnMut(&mut VecDeque<u64>) -> Option<T>,
    ) -> T {
        self.lock.lock();
        loop {
            // SAFETY: the lock is held.
            if let Some(result) = ready(unsafe { &mut *self.items.get() }) {
                // SAFETY: as above.
                unsafe { self.lock.unlock() };
                return result;
            }
            // SAFETY: as above.
            unsafe { condition.wait(&self.lock, None) };
        }
    }

    fn put(&self, item: u64) {
        self.with(&self.has_room, |items| {
            (items.len() < ROOM).then(|| items.push_back(item))
        });
        self.has_items.signal();
    }

    fn take(&self) -> u64 {
        let item = self.with(&self.has_items, VecDeque::pop_front);
        self.has_room.signal();
        item
    }
}

#[test]
fn what_is_put_is_taken_once() {
    let _guard = Guard::new();
    put_and_take::<Futex3>();
    put_and_take::<Tollgate>();
}

fn put_and_take<R: RawLock>() {
    const THREADS: u64 = 16;
    const ITEMS: u64 = 2000;
    let channel = Channel::<R>::new();
    let sum = AtomicU64::new(0);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (channel, sum) = (&channel, &sum);
            scope.spawn(move || (0..ITEMS).for_each(|item| channel.put(thread * ITEMS + item)));
            scope.spawn(move || {
                for _ in 0..ITEMS {
                    sum.fetch_add(channel.take(), Relaxed);
                }
            });
        }
    });
    let all = THREADS * ITEMS;
    assert_eq!(sum.into_inner(), all * (all - 1) / 2);
}

fn soon(milliseconds: u64) -> Deadline {
    Deadline::after(
        DeadlineClock::Monotonic,
        Duration::from_millis(milliseconds),
    )
}

#[test]
fn a_deadline_ends_a_wait_and_not_before_it() {
    let _guard = Guard::new();
    end_by_deadline::<Futex3>();
    end_by_deadline::<Tollgate>();
}

fn end_by_deadline<R: RawLock>() {
    let (lock, condition) = (R::new(), Condition::new());
    lock.lock();
    let start = Instant::now();
    // SAFETY: locked above.
    assert!(!unsafe { condition.wait(&lock, Some(&soon(5))) });
    assert!(start.elapsed() >= Duration::from_millis(4));
    assert!(lock.is_locked());
    let long_ago = Deadline::new(DeadlineClock::Realtime, -1, 0).unwrap();
    // SAFETY: held, as the wait has acquired it again.
    assert!(!unsafe { condition.wait(&lock, Some(&long_ago)) });
    condition.retire();
}

/// Some wait, some are late at about the same time, and the condition is freed when all have been told.
#[test]
fn it_may_be_freed_when_all_have_been_told() {
    let _guard = Guard::new();
    tell_and_free::<Futex3>();
    tell_and_free::<Tollgate>();
}

fn tell_and_free<R: RawLock>() {
    const WAITERS: usize = 6;
    for round in 0..300 {
        let lock = R::new();
        let told = UnsafeCell::new(0);
        let mut condition = Box::new(Condition::new());
        struct Shared<'a, R>(&'a R, *const Condition, *mut usize);
        // SAFETY: the number is touched under the lock; the condition is freed when nobody uses it, which is what the test is
        // about.
        unsafe impl<R: RawLock> Sync for Shared<'_, R> {}
        let shared = Shared(&lock, &raw const *condition, told.get());
        thread::scope(|scope| {
            for waiter in 0..WAITERS {
                let shared = &shared;
                scope.spawn(move || {
                    let Shared(lock, condition, told) = shared;
                    lock.lock();
                    // SAFETY: locked above.
                    unsafe { **told += 1 };
                    let deadline = (waiter % 2 == 0).then(|| soon(round % 3));
                    // SAFETY: as above; it is there until all have been told.
                    unsafe { (**condition).wait(*lock, deadline.as_ref()) };
                    // SAFETY: held again.
                    unsafe { lock.unlock() };
                });
            }
            loop {
                lock.lock();
                // SAFETY: locked above.
                let all_wait = unsafe { *told.get() } == WAITERS;
                if all_wait {
                    condition.broadcast();
                    condition.retire();
                    // Nobody may look at it any more: garbage would be followed as a queue.
                    // SAFETY: its words may hold anything.
                    unsafe { (&raw mut *condition).write_bytes(0xa5, 1) };
                }
                // SAFETY: locked above.
                unsafe { lock.unlock() };
                if all_wait {
                    break;
                }
                thread::yield_now();
            }
        });
    }
}

/// Many wait for each of many broadcasts, and some not so long; now and then the lock is held at a broadcast, or is not. Another thread uses
/// the lock all the time.
#[test]
fn nobody_is_lost_in_a_storm_of_broadcasts() {
    let _guard = Guard::new();
    const WAITERS: u64 = 64;
    const ROUNDS: u64 = 40;
    let (lock, condition, all_heard) = (Tollgate::new(), Condition::new(), Condition::new());
    // Written with the lock held.
    let (round, waiting, heard, over) = (
        AtomicU64::new(0),
        AtomicU64::new(0),
        AtomicU64::new(0),
        AtomicBool::new(false),
    );
    thread::scope(|scope| {
        for waiter in 0..WAITERS {
            let (lock, condition, all_heard) = (&lock, &condition, &all_heard);
            let (round, waiting, heard) = (&round, &waiting, &heard);
            scope.spawn(move || {
                lock.lock();
                for own in 1..=ROUNDS {
                    waiting.fetch_add(1, Relaxed);
                    while round.load(Relaxed) < own {
                        let deadline = (waiter % 4 == 0).then(|| soon(own % 3));
                        // SAFETY: locked above.
                        unsafe { condition.wait(lock, deadline.as_ref()) };
                    }
                    if heard.fetch_add(1, Relaxed) + 1 == own * WAITERS {
                        all_heard.signal();
                    }
                }
                // SAFETY: locked above.
                unsafe { lock.unlock() };
            });
        }
        scope.spawn(|| {
            while !over.load(Relaxed) {
                lock.lock();
                // SAFETY: locked above.
                unsafe { lock.unlock() };
            }
        });
        for own in 1..=ROUNDS {
            let inside = own % 2 == 0;
            loop {
                lock.lock();
                if waiting.load(Relaxed) == own * WAITERS {
                    break;
                }
                // SAFETY: locked above.
                unsafe { lock.unlock() };
                thread::sleep(Duration::from_micros(100));
            }
            round.store(own, Relaxed);
            if inside {
                condition.broadcast();
            } else {
                // SAFETY: locked above.
                unsafe { lock.unlock() };
                condition.broadcast();
                lock.lock();
            }
            while heard.load(Relaxed) < own * WAITERS {
                // SAFETY: locked above.
                unsafe { all_heard.wait(&lock, None) };
            }
            // SAFETY: locked above.
            unsafe { lock.unlock() };
        }
        over.store(true, Relaxed);
    });
    condition.retire();
}
