//! Starts all threads of a slice at once, and reports when the last of them has started.
//!
//! It does not use a barrier, since the standard library's barrier passes its own mutex from each waiter to the next. Threads
//! that then spin leave the processor to the next thread only when their time slice is over, so leaving the barrier took time in
//! proportion to the square of the number of threads: with 200 threads on 2 processors, the last thread, often the starter, left
//! it after 20 seconds or more. Here, no thread depends on another: readers of a lock enter together.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire};
use std::sync::{Condvar, Mutex, PoisonError, RwLock, RwLockWriteGuard};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// The point where the threads of a slice wait for each other.
pub(super) struct Start {
    threads: u32,
    gate: RwLock<()>,
    here: Mutex<u32>,
    all_here: Condvar,
    gone: AtomicU32,
    starter: Thread,
}

/// The shut gate. Dropping it lets all threads go.
pub(super) struct Shut<'a> {
    start: &'a Start,
    gate: RwLockWriteGuard<'a, ()>,
}

impl Start {
    /// Makes a start for this many threads in addition to the calling one, the starter.
    pub(super) fn of(threads: u32) -> Self {
        Self {
            threads,
            gate: RwLock::new(()),
            here: Mutex::new(0),
            all_here: Condvar::new(),
            gone: AtomicU32::new(0),
            starter: thread::current(),
        }
    }

    /// Shuts the gate, before any thread arrives at it.
    pub(super) fn shut(&self) -> Shut<'_> {
        let gate = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        Shut { start: self, gate }
    }

    /// Called by each thread: waits until the gate is opened.
    pub(super) fn wait(&self) {
        // No thread spins yet, so a thread waits only briefly for this mutex.
        *self.here.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.all_here.notify_one();
        drop(self.gate.read().unwrap_or_else(PoisonError::into_inner));
        // AcqRel: the starter, which sees the last of these additions, sees everything that each thread did before.
        if self.gone.fetch_add(1, AcqRel) + 1 == self.threads {
            self.starter.unpark();
        }
    }

    fn have_all_gone(&self) -> bool {
        // Acquire: pairs with the release of each thread's addition.
        self.gone.load(Acquire) == self.threads
    }
}

impl Shut<'_> {
    /// Opens the gate once all threads have arrived at it. Then waits until all have gone through, or until `limit` has passed: a
    /// thread may have to wait long for a processor.
    pub(super) fn open(self, limit: Duration) {
        let start = self.start;
        let here = start.here.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = |here: &mut u32| *here < start.threads;
        drop(start.all_here.wait_while(here, missing));
        drop(self.gate);
        let deadline = Instant::now() + limit;
        while !start.have_all_gone()
            && let Some(left) = deadline.checked_duration_since(Instant::now())
        {
            thread::park_timeout(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::thread::scope;

    use super::*;
    use crate::processors;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn nobody_goes_before_all_are_there_and_the_starter_waits_for_the_last() {
        let start = Start::of(3);
        let shut = start.shut();
        let opened = AtomicBool::new(false);
        scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    start.wait();
                    assert!(opened.load(Relaxed));
                });
            }
            opened.store(true, Relaxed);
            shut.open(LONG);
            assert!(start.have_all_gone());
        });
    }

    #[test]
    fn a_thread_that_gets_no_processor_is_not_waited_for_for_ever() {
        // The thread has arrived but never comes through, as if it never got a processor.
        let start = Start::of(1);
        let shut = start.shut();
        scope(|scope| {
            scope.spawn(|| {
                *start.here.lock().unwrap() += 1;
                start.all_here.notify_one();
            });
            shut.open(Duration::from_millis(20));
            assert!(!start.have_all_gone());
        });
    }

    #[test]
    fn threads_that_spin_at_once_keep_nobody_from_coming_through() {
        // Many more than processors, all of which use up their time slices as soon as they are through.
        const THREADS: u32 = 100;
        let _turn = processors::alone();
        let start = Start::of(THREADS);
        let shut = start.shut();
        let stop = AtomicBool::new(false);
        scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    start.wait();
                    while !stop.load(Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            shut.open(LONG);
            let all = start.have_all_gone();
            stop.store(true, Relaxed);
            assert!(all);
        });
    }
}
