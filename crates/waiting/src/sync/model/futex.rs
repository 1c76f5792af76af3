//! The kernel's side of a futex, and of time.

use core::cell::Cell;
use std::vec::Vec;

use loom::sync::{Arc, Condvar, Mutex};

use super::{AtomicU32, Mutation, Ordering, planted};

/// A moment in a world without clocks.
#[derive(Debug, Default)]
pub struct Deadline {
    /// Whether a thread has asked if it has passed, or slept for it.
    asked: Cell<bool>,
    /// For a moment that passes when it is told to.
    told: Option<Arc<TimedSleep>>,
}

/// What ends a timed sleep.
#[derive(Debug)]
struct TimedSleep {
    ended_by: Mutex<EndedBy>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct EndedBy {
    time: bool,
    wake: bool,
}

impl Deadline {
    /// Creates a moment that has passed when a thread asks for the second time, or has slept for it: no time is spent asleep.
    #[must_use]
    /// Creates a queue without sleepers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a moment that has passed once a thread has called [`pass`](Self::pass): the time is up wherever loom lets that
    /// thread run, and a sleeper may be woken before, after and at that moment. For one waiter at a time.
    #[must_use]
    pub fn when_told() -> Self {
        Self {
            asked: Cell::new(false),
            told: Some(Arc::new(TimedSleep {
                ended_by: Mutex::default(),
                changed: Condvar::new(),
            })),
        }
    }

    /// Makes it pass now.
    pub fn pass(&self) {
        let told = self.told.as_ref().expect("a deadline that is told");
        told.ended_by.lock().unwrap().time = true;
        told.changed.notify_all();
    }

    /// Whether it has passed.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        match &self.told {
            Some(told) => told.ended_by.lock().unwrap().time,
            None => self.asked.replace(true),
        }
    }
}

impl TimedSleep {
    fn wake(&self) {
        self.ended_by.lock().unwrap().wake = true;
        self.changed.notify_all();
    }

    /// Sleeps until woken or until the time has come.
    fn sleep(&self) {
        let mut ended_by = self.ended_by.lock().unwrap();
        while !ended_by.time && !ended_by.wake {
            ended_by = self.changed.wait(ended_by).unwrap();
        }
    }
}

/// The kernel's side of one futex word: a queue of sleeping threads.
///
/// The kernel compares the word and queues the thread under one internal lock, which every wake
/// of the same word takes too; here this is the model's mutex.
#[derive(Debug)]
pub struct FutexQueue {
    /// The threads that sleep until a deadline. They are woken before the others: timed waits go wrong when a wake-up comes to
    /// a sleeper whose time is up at the same moment.
    bucket: Mutex<Vec<Arc<TimedSleep>>>,
    sleepers: Condvar,
}

impl FutexQueue {
    /// Creates a queue without sleepers.
    pub fn new() -> Self {
        Self {
            bucket: Mutex::new(Vec::new()),
            sleepers: Condvar::new(),
        }
    }

    pub fn wait(&self, word: &AtomicU32, expected: u32) {
        self.wait_while(|| word.0.load(Ordering::Relaxed) == expected, None);
    }

    pub fn wait_until(&self, word: &AtomicU32, expected: u32, deadline: &Deadline) {
        self.wait_while(
            || word.0.load(Ordering::Relaxed) == expected,
            Some(deadline),
        );
    }

    /// Sleeps if the word is as expected. The read of the word is relaxed, and may miss a change whose wake has not come yet:
    /// then that wake finds the caller asleep. It cannot miss a change whose wake has come: the bucket's mutex makes that
    /// happen before.
    pub fn wait_while(&self, is_expected: impl Fn() -> bool, deadline: Option<&Deadline>) {
        let sleeps = || is_expected() || Mutation::SkipFutexCompare.is_planted();
        let Some(deadline) = deadline else {
            let bucket = self.bucket.lock().unwrap();
            if sleeps() {
                drop(self.sleepers.wait(bucket).unwrap());
            }
            return;
        };
        let Some(told) = &deadline.told else {
            return self.pass_at_once(is_expected, deadline);
        };
        {
            let mut bucket = self.bucket.lock().unwrap();
            if !sleeps() {
                return;
            }
            told.ended_by.lock().unwrap().wake = false;
            bucket.push(Arc::clone(told));
        }
        told.sleep();
        if !planted("wake-the-gone") {
            // A thread that was woken has already been taken out.
            self.bucket
                .lock()
                .unwrap()
                .retain(|queued| !Arc::ptr_eq(queued, told));
        }
    }

    /// Sleeps until the deadline, which is the very moment at which the thread would fall asleep. So each step of a thread
    /// that gives up is explored at each moment of the others.
    fn pass_at_once(&self, is_expected: impl Fn() -> bool, deadline: &Deadline) {
        let _bucket = self.bucket.lock().unwrap();
        if is_expected() {
            deadline.asked.set(true);
        }
    }

    pub fn wake(&self, count: u32) {
        if Mutation::DropWake.is_planted() {
            return;
        }
        let mut bucket = self.bucket.lock().unwrap();
        if count > 1 {
            bucket.drain(..).for_each(|timed| timed.wake());
            self.sleepers.notify_all();
        } else if bucket.is_empty() {
            self.sleepers.notify_one();
        } else {
            bucket.remove(0).wake();
        }
    }
}
