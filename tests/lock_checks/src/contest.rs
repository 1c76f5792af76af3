//! Threads that contend for one lock and check it from the inside.

use std::cell::UnsafeCell;
use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use locktoll_waiting::RawLock;

use crate::guard::Guard;

/// One lock, a counter that only its holder touches, and a witness of overlapping holders.
pub struct Contest<R> {
    lock: R,
    threads: usize,
    tries: bool,
    holders: AtomicU32,
    count: UnsafeCell<u64>,
}

// SAFETY: `count` is touched by the holder of `lock` only; that this is one thread at a time is
// what the test is about.
unsafe impl<R: RawLock> Sync for Contest<R> {}

impl<R: RawLock> Contest<R> {
    /// A contest of this many threads for a free lock.
    pub fn new(lock: R, threads: usize) -> Self {
        Self {
            lock,
            threads,
            tries: false,
            holders: AtomicU32::new(0),
            count: UnsafeCell::new(0),
        }
    }

    /// Every second acquisition is by `try_lock`, repeated until it succeeds or time is up.
    pub fn with_tries(mut self) -> Self {
        self.tries = true;
        self
    }

    /// Fights for `length`, then checks that each acquisition was counted once.
    pub fn run(mut self, length: Duration) {
        let _guard = Guard::new();
        let stop = AtomicBool::new(false);
        let start = Barrier::new(self.threads);
        let this = &self;
        let acquired: u64 = thread::scope(|scope| {
            let contenders: Vec<_> = (0..this.threads)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        this.contend(&stop)
                    })
                })
                .collect();
            thread::sleep(length);
            stop.store(true, Relaxed);
            contenders.into_iter().map(|c| c.join().unwrap()).sum()
        });
        assert!(
            acquired >= self.threads as u64,
            "each comes in once at least"
        );
        assert_eq!(*self.count.get_mut(), acquired, "acquisitions were lost");
        assert!(!self.lock.is_locked());
        assert!(self.lock.try_lock(), "a free lock can be acquired");
        assert!(self.lock.is_locked());
        assert!(!self.lock.try_lock(), "a held lock cannot be acquired");
        // SAFETY: acquired two lines above.
        unsafe { self.lock.unlock() };
        assert!(!self.lock.is_locked());
    }

    fn contend(&self, stop: &AtomicBool) -> u64 {
        let mut acquired = 0;
        // At least once: on a busy machine the time may be over before a thread has begun.
        while acquired == 0 || !stop.load(Relaxed) {
            if self.tries && acquired % 2 == 1 {
                if !self.lock.try_lock() {
                    continue;
                }
            } else {
                self.lock.lock();
            }
            assert_eq!(self.holders.fetch_add(1, Relaxed), 0, "two holders at once");
            // SAFETY: this thread holds the lock. In two steps, so that a lost update shows.
            unsafe {
                let before = *self.count.get();
                black_box(());
                *self.count.get() = before + 1;
            }
            assert_eq!(self.holders.fetch_sub(1, Relaxed), 1, "two holders at once");
            // SAFETY: acquired above.
            unsafe { self.lock.unlock() };
            acquired += 1;
        }
        acquired
    }
}
