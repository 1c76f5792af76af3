//! The condition variable under real threads, more of them than processors.
#![cfg(not(loom))]

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use locktoll_locks::{Condition, Deadline, DeadlineClock, Futex3, RawLock};

/// A queue with room for a few numbers.
struct Channel {
    lock: Futex3,
    has_items: Condition,
    has_room: Condition,
    items: UnsafeCell<VecDeque<u64>>,
}

// SAFETY: the items are touched under the lock; that the threads agree on them is what the test is about.
unsafe impl Sync for Channel {}

const ROOM: usize = 4;

impl Channel {
    fn new() -> Self {
        Self {
            lock: Futex3::new(),
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
    const THREADS: u64 = 16;
    const ITEMS: u64 = 2000;
    let channel = Channel::new();
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
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    let at =
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32) + Duration::from_millis(milliseconds);
    Deadline::new(
        DeadlineClock::Monotonic,
        at.as_secs() as i64,
        at.subsec_nanos().into(),
    )
    .unwrap()
}

#[test]
fn a_deadline_ends_a_wait_and_not_before_it() {
    let (lock, condition) = (Futex3::new(), Condition::new());
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
    const WAITERS: usize = 6;
    for round in 0..300 {
        let lock = Futex3::new();
        let told = UnsafeCell::new(0);
        let mut condition = Box::new(Condition::new());
        struct Shared<'a>(&'a Futex3, *const Condition, *mut usize);
        // SAFETY: the number is touched under the lock; the condition is freed when nobody uses it, which is what the test is
        // about.
        unsafe impl Sync for Shared<'_> {}
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
