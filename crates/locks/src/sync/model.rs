//! The same names under loom, with orderings that a test can spoil.

use core::cell::Cell;

use loom::sync::atomic as checked;
pub(crate) use loom::sync::atomic::Ordering;
use loom::sync::{Condvar, Mutex};

/// A fault planted in every atomic operation and futex call that follows on this thread.
///
/// The model checker runs all threads of a model on the thread that called it, so a test sets
/// the fault before it calls `loom::model::Builder::check`, and tests that run at the same time do not
/// disturb each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// The algorithm as it is.
    None,
    /// Acquire parts are lost: `Acquire` becomes `Relaxed`, `AcqRel` becomes `Release`.
    DropAcquire,
    /// Release parts are lost: `Release` becomes `Relaxed`, `AcqRel` becomes `Acquire`.
    DropRelease,
    /// `FUTEX_WAKE` wakes nobody.
    DropWake,
    /// `FUTEX_WAIT` sleeps without comparing the word with the expected value.
    SkipFutexCompare,
}

std::thread_local! {
    static MUTATION: Cell<Mutation> = const { Cell::new(Mutation::None) };
}

impl Mutation {
    /// Plants this fault for what follows on the calling thread.
    pub fn plant(self) {
        MUTATION.set(self);
    }

    fn planted() -> Self {
        MUTATION.get()
    }

    fn spoil(self, order: Ordering) -> Ordering {
        match (self, order) {
            (Self::DropAcquire, Ordering::Acquire) => Ordering::Relaxed,
            (Self::DropAcquire, Ordering::AcqRel) => Ordering::Release,
            (Self::DropRelease, Ordering::Release) => Ordering::Relaxed,
            (Self::DropRelease, Ordering::AcqRel) => Ordering::Acquire,
            (_, order) => order,
        }
    }
}

fn spoiled(order: Ordering) -> Ordering {
    Mutation::planted().spoil(order)
}

pub(crate) fn fence(order: Ordering) {
    match spoiled(order) {
        // A relaxed fence is no fence.
        Ordering::Relaxed => {}
        order => checked::fence(order),
    }
}

/// Tells the model checker that this thread can go no further until another one has run.
pub(crate) fn spin_loop() {
    loom::thread::yield_now();
}

pub(crate) fn yield_now() {
    loom::thread::yield_now();
}

#[derive(Debug)]
pub(crate) struct AtomicU32(checked::AtomicU32);

impl AtomicU32 {
    #[track_caller]
    pub(crate) fn new(value: u32) -> Self {
        Self(checked::AtomicU32::new(value))
    }

    #[track_caller]
    pub(crate) fn load(&self, order: Ordering) -> u32 {
        self.0.load(spoiled(order))
    }

    /// By an exchange, since loom orders the stores of one word only partly: it would let a plain store
    /// come before an exchange that it has seen run before it, and a waiter would then exchange stale values for
    /// ever. What this gives up is that a relaxed store ends a release sequence.
    #[track_caller]
    pub(crate) fn store(&self, value: u32, order: Ordering) {
        self.0.swap(value, spoiled(order));
    }

    #[track_caller]
    pub(crate) fn swap(&self, value: u32, order: Ordering) -> u32 {
        self.0.swap(value, spoiled(order))
    }

    #[track_caller]
    pub(crate) fn fetch_add(&self, value: u32, order: Ordering) -> u32 {
        self.0.fetch_add(value, spoiled(order))
    }

    #[track_caller]
    pub(crate) fn fetch_sub(&self, value: u32, order: Ordering) -> u32 {
        self.0.fetch_sub(value, spoiled(order))
    }

    #[track_caller]
    pub(crate) fn fetch_and(&self, value: u32, order: Ordering) -> u32 {
        self.0.fetch_and(value, spoiled(order))
    }

    #[track_caller]
    pub(crate) fn fetch_or(&self, value: u32, order: Ordering) -> u32 {
        self.0.fetch_or(value, spoiled(order))
    }

    #[track_caller]
    pub(crate) fn compare_exchange(
        &self,
        current: u32,
        new: u32,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u32, u32> {
        self.0
            .compare_exchange(current, new, spoiled(success), spoiled(failure))
    }
}

#[derive(Debug)]
pub(crate) struct AtomicPtr<T>(checked::AtomicPtr<T>);

impl<T> AtomicPtr<T> {
    #[track_caller]
    pub(crate) fn new(value: *mut T) -> Self {
        Self(checked::AtomicPtr::new(value))
    }

    #[track_caller]
    pub(crate) fn load(&self, order: Ordering) -> *mut T {
        self.0.load(spoiled(order))
    }

    /// By an exchange, as [`AtomicU32::store`].
    #[track_caller]
    pub(crate) fn store(&self, value: *mut T, order: Ordering) {
        self.0.swap(value, spoiled(order));
    }

    #[track_caller]
    pub(crate) fn swap(&self, value: *mut T, order: Ordering) -> *mut T {
        self.0.swap(value, spoiled(order))
    }

    #[track_caller]
    pub(crate) fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        self.0
            .compare_exchange(current, new, spoiled(success), spoiled(failure))
    }
}

/// The kernel's side of one futex word: a queue of sleeping threads.
///
/// The kernel compares the word and queues the thread under one internal lock, which every wake
/// of the same word takes too; here this is the model's mutex.
#[derive(Debug)]
pub(crate) struct FutexQueue {
    bucket: Mutex<()>,
    sleepers: Condvar,
}

impl FutexQueue {
    pub(crate) fn new() -> Self {
        Self {
            bucket: Mutex::new(()),
            sleepers: Condvar::new(),
        }
    }

    pub(crate) fn wait(&self, word: &AtomicU32, expected: u32) {
        let bucket = self.bucket.lock().unwrap();
        // A relaxed load may miss a change whose wake has not come yet: then that wake finds this thread
        // asleep. It cannot miss one whose wake has: the bucket's mutex makes that happen before.
        let current = word.0.load(Ordering::Relaxed);
        if current == expected || Mutation::planted() == Mutation::SkipFutexCompare {
            drop(self.sleepers.wait(bucket).unwrap());
        }
    }

    pub(crate) fn wake(&self, count: u32) {
        if Mutation::planted() == Mutation::DropWake {
            return;
        }
        let _bucket = self.bucket.lock().unwrap();
        if count == 1 {
            self.sleepers.notify_one();
        } else {
            self.sleepers.notify_all();
        }
    }
}
