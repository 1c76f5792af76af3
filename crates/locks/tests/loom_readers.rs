//! Models of the reader-writer locks and of the sequence lock.
#![cfg(loom)]

mod checker;

use checker::{Outcome, WRONG_DATA, holds_and_finds};
use locktoll_locks::{Mutation::*, *};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread;

const ORDERINGS: &[(Mutation, Outcome)] =
    &[(DropAcquire, Outcome::Race), (DropRelease, Outcome::Race)];

const PARKING: &[(Mutation, Outcome)] = &[
    (DropAcquire, Outcome::Race),
    (DropRelease, Outcome::Race),
    (DropWake, Outcome::Stuck),
    (SkipFutexCompare, Outcome::Stuck),
];

struct Protected<R> {
    lock: R,
    value: UnsafeCell<u32>,
}

// SAFETY: the value is touched under the lock; that this excludes is what loom checks.
unsafe impl<R: RawRw> Sync for Protected<R> {}
// SAFETY: as above.
unsafe impl<R: RawRw> Send for Protected<R> {}

impl<R: RawRw> Protected<R> {
    fn shared(make: fn() -> R) -> Arc<Self> {
        Arc::new(Self {
            lock: make(),
            value: UnsafeCell::new(0),
        })
    }

    fn write(&self) {
        self.lock.lock_exclusive();
        // SAFETY: loom checks that no other access overlaps.
        self.value.with_mut(|value| unsafe { *value += 1 });
        // SAFETY: locked above.
        unsafe { self.lock.unlock_exclusive() };
    }

    fn read(&self) -> u32 {
        self.lock.lock_shared();
        // SAFETY: loom checks that no write overlaps.
        let value = self.value.with(|value| unsafe { *value });
        // SAFETY: locked above.
        unsafe { self.lock.unlock_shared() };
        value
    }

    fn try_both(&self) -> u32 {
        if self.lock.try_lock_shared() {
            // SAFETY: as in `read`.
            self.value.with(|value| unsafe { *value });
            // SAFETY: locked above.
            unsafe { self.lock.unlock_shared() };
        }
        let acquired = self.lock.try_lock_exclusive();
        if acquired {
            // SAFETY: as in `write`.
            self.value.with_mut(|value| unsafe { *value += 1 });
            // SAFETY: locked above.
            unsafe { self.lock.unlock_exclusive() };
        }
        u32::from(acquired)
    }
}

/// A writer, and a thread that reads, then writes.
fn reader_and_writer<R: RawRw + 'static>(make: fn() -> R) {
    let shared = Protected::shared(make);
    let other = Arc::clone(&shared);
    let writer = thread::spawn(move || other.write());
    assert!(shared.read() <= 1, "{WRONG_DATA}");
    shared.write();
    writer.join().unwrap();
    assert_eq!(shared.read(), 2, "{WRONG_DATA}");
    assert!(!shared.lock.is_locked());
}

/// Two writers and a reader.
fn two_writers<R: RawRw + 'static>(make: fn() -> R) {
    let shared = Protected::shared(make);
    let writers = [(); 2].map(|()| {
        let other = Arc::clone(&shared);
        thread::spawn(move || other.write())
    });
    shared.read();
    for writer in writers {
        writer.join().unwrap();
    }
    assert_eq!(shared.read(), 2, "{WRONG_DATA}");
}

/// Tries of both kinds beside a thread that does both.
fn tries<R: RawRw + 'static>(make: fn() -> R) {
    let shared = Protected::shared(make);
    let other = Arc::clone(&shared);
    let contender = thread::spawn(move || {
        other.write();
        other.read();
    });
    let written = shared.try_both();
    contender.join().unwrap();
    shared.write();
    assert_eq!(shared.read(), 2 + written, "{WRONG_DATA}");
}

#[test]
fn rw_fair() {
    let make: fn() -> RwFair = RwFair::new;
    holds_and_finds("rw_fair", "read and write", ORDERINGS, move || {
        reader_and_writer(make);
    });
    holds_and_finds("rw_fair", "tries", ORDERINGS, move || tries(make));
}

#[test]
fn rw_reader() {
    let make: fn() -> RwReader = || RwReader::with_spin(0);
    holds_and_finds("rw_reader", "read and write", PARKING, move || {
        reader_and_writer(make);
    });
    holds_and_finds("rw_reader", "two writers", PARKING, move || {
        two_writers(make);
    });
    holds_and_finds("rw_reader", "tries", ORDERINGS, move || tries(make));
}

struct Pair {
    lock: SeqLock<Ttas>,
    first: AtomicU32,
    second: AtomicU32,
}

impl Pair {
    fn write(&self) {
        self.lock.write(|| {
            let next = self.first.load(Relaxed) + 1;
            self.first.store(next, Relaxed);
            self.second.store(next, Relaxed);
        });
    }

    fn read(&self) -> u32 {
        let (first, second) = self
            .lock
            .read(|| (self.first.load(Relaxed), self.second.load(Relaxed)));
        assert_eq!(first, second, "{WRONG_DATA}");
        first
    }
}

#[test]
fn seqlock() {
    holds_and_finds("seqlock", "read and write", ORDERINGS, || {
        let shared = Arc::new(Pair {
            lock: SeqLock::new(),
            first: AtomicU32::new(0),
            second: AtomicU32::new(0),
        });
        let other = Arc::clone(&shared);
        let writer = thread::spawn(move || other.write());
        assert!(shared.read() <= 1, "{WRONG_DATA}");
        shared.write();
        writer.join().unwrap();
        assert_eq!(shared.read(), 2, "{WRONG_DATA}");
    });
}
