//! Models of the reader-writer locks and of the sequence lock.
#![cfg(locktoll_loom)]

use locktoll_lock_checks::models as checker;

use checker::{Models, ORDERINGS, Outcome, PARKING, WRONG_DATA};
use locktoll_locks::*;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread;

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

/// A try that fails between two writers, beside a reader that came during the first.
fn try_between_writers<R: RawRw + 'static>(make: fn() -> R) {
    let shared = Protected::shared(make);
    shared.lock.lock_exclusive();
    let other = Arc::clone(&shared);
    let reader = thread::spawn(move || other.read());
    // SAFETY: locked above.
    unsafe { shared.lock.unlock_exclusive() };
    let tried = shared.try_both();
    shared.write();
    assert!(reader.join().unwrap() <= 1 + tried, "{WRONG_DATA}");
    assert_eq!(shared.read(), 1 + tried, "{WRONG_DATA}");
}

#[test]
fn rw_fair() {
    let make: fn() -> RwFair = RwFair::new;
    Models::of("rw_fair")
        .explore("read and write", ORDERINGS, move || reader_and_writer(make))
        .explore("tries", ORDERINGS, move || tries(make))
        .explore("try between writers", &[], move || {
            try_between_writers(make)
        })
        // The try that fails hands on what the writer before it has released: a relaxed store would
        // end that release sequence, but a model's stores do not.
        .need_every_ordering(&[(
            "rw_fair.rs",
            ".store(ticket.wrapping_add(1), Ordering::Release)",
        )]);
}

#[test]
fn rw_reader() {
    let make: fn() -> RwReader = || RwReader::with_spin(0);
    Models::of("rw_reader")
        .explore("read and write", PARKING, move || reader_and_writer(make))
        .explore("two writers", PARKING, move || two_writers(make))
        .explore("tries", ORDERINGS, move || tries(make))
        .need_every_ordering(&[
            // These keep a writer's mark from taking effect before its load of the count. A model
            // runs the operations of a thread in order.
            ("rw_reader.rs", "self.writer_calls.load(Ordering::Acquire)"),
            (
                "rw_reader.rs",
                "self.writer_calls.fetch_add(1, Ordering::Release)",
            ),
        ]);
}

/// A writer that gives up beside one that does not and a reader: nobody sleeps for ever.
fn a_writer_gives_up(make: fn() -> RwPark) {
    let shared = Protected::shared(make);
    let other = Arc::clone(&shared);
    let writer = thread::spawn(move || other.write());
    let other = Arc::clone(&shared);
    let hasty = thread::spawn(move || {
        let acquired = other
            .lock
            .lock_exclusive_until(Some(&Deadline::new()))
            .is_ok();
        if acquired {
            // SAFETY: as in `write`.
            other.value.with_mut(|value| unsafe { *value += 1 });
            // SAFETY: locked above.
            unsafe { other.lock.unlock() };
        }
        u32::from(acquired)
    });
    shared.read();
    writer.join().unwrap();
    let written = 1 + hasty.join().unwrap();
    assert_eq!(shared.read(), written, "{WRONG_DATA}");
}

/// A reader that gives up beside a writer, and reads what the writer wrote if it was let in.
fn a_reader_gives_up(make: fn() -> RwPark) {
    let shared = Protected::shared(make);
    let other = Arc::clone(&shared);
    let writer = thread::spawn(move || other.write());
    if shared
        .lock
        .lock_shared_until(Some(&Deadline::new()))
        .is_ok()
    {
        // SAFETY: as in `read`.
        shared.value.with(|value| unsafe { *value });
        // SAFETY: locked above.
        unsafe { shared.lock.unlock() };
    }
    shared.write();
    writer.join().unwrap();
    assert_eq!(shared.read(), 2, "{WRONG_DATA}");
}

/// While a reader stays inside, another one waits for a writer that gives up: then it must be let in.
fn a_writer_gives_way(make: fn() -> RwPark) {
    let shared = Protected::shared(make);
    shared.lock.lock_shared();
    let other = Arc::clone(&shared);
    let hasty = thread::spawn(move || other.lock.lock_exclusive_until(Some(&Deadline::new())));
    let other = Arc::clone(&shared);
    let reader = thread::spawn(move || other.read());
    assert_eq!(hasty.join().unwrap(), Err(NotAcquired::TimedOut));
    reader.join().unwrap();
    // SAFETY: locked above.
    unsafe { shared.lock.unlock_shared() };
    shared.write();
    assert_eq!(shared.read(), 1, "{WRONG_DATA}");
}

/// The last to leave frees the lock, which the others may have released only just.
fn freed_by_the_last(make: fn() -> RwPark) {
    let shared = Protected::shared(make);
    let leave = |shared: &Protected<RwPark>| {
        shared.read();
        shared.lock.lock_exclusive();
        // SAFETY: as in `write`.
        let left = shared.value.with_mut(|value| unsafe {
            *value += 1;
            *value
        });
        // SAFETY: locked above.
        unsafe { shared.lock.unlock() };
        if left == 2 {
            shared.lock.end();
        }
    };
    let other = Arc::clone(&shared);
    let thread = thread::spawn(move || leave(&other));
    leave(&shared);
    thread.join().unwrap();
}

fn fault(name: &str, outcome: Outcome) -> (Mutation, Outcome) {
    (Mutation::Fault(name.into()), outcome)
}

/// What goes wrong where one of the steps of I2, I3 or I5 is left out.
fn two_that_park() -> Vec<(Mutation, Outcome)> {
    let mut faults = PARKING.to_vec();
    faults.push(fault("counts no call", Outcome::Stuck));
    faults.push(fault("leaves without calling", Outcome::Stuck));
    faults.push(fault("forgets that others may sleep", Outcome::Stuck));
    faults
}

fn rw_park(models: Models, make: fn() -> RwPark) -> Models {
    let touched = [fault("looks again after it has left", Outcome::Race)];
    let waking = [(Mutation::DropWake, Outcome::Stuck)];
    models
        .explore("read and write", PARKING, move || reader_and_writer(make))
        .explore("two writers", &two_that_park(), move || two_writers(make))
        .explore("tries", ORDERINGS, move || tries(make))
        .explore("freed by the last", &touched, move || {
            freed_by_the_last(make)
        })
        .explore("a reader gives up", ORDERINGS, move || {
            a_reader_gives_up(make)
        })
        .explore("a writer gives up", &waking, move || {
            a_writer_gives_up(make)
        })
}

#[test]
fn rw_park_readers_first() {
    let make: fn() -> RwPark = || RwPark::with(Preference::Readers, Waiting::PARK_AT_ONCE);
    rw_park(Models::of("rw_park_readers_first"), make).need_every_ordering(MARKS);
}

#[test]
fn rw_park_writers_first() {
    let make: fn() -> RwPark = || RwPark::with(Preference::Writers, Waiting::PARK_AT_ONCE);
    let gives_way = [
        (Mutation::DropWake, Outcome::Stuck),
        fault("gives up without calling", Outcome::Stuck),
    ];
    rw_park(Models::of("rw_park_writers_first").found_by_two(), make)
        .explore("a writer gives way", &gives_way, move || {
            a_writer_gives_way(make)
        })
        .need_every_ordering(MARKS);
}

/// These keep the reading of a count of calls before the mark, and the next call behind it. A model runs the
/// operations of a thread in order.
const MARKS: &[(&str, &str)] = &[
    (
        "leave.rs",
        "self.reader_calls.fetch_add(1, Ordering::Release)",
    ),
    (
        "leave.rs",
        "self.writer_calls.fetch_add(1, Ordering::Release)",
    ),
    ("wait.rs", "self.reader_calls.load(Ordering::Acquire)"),
    ("wait.rs", "self.writer_calls.load(Ordering::Acquire)"),
];

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

impl Pair {
    fn shared() -> Arc<Self> {
        Arc::new(Self {
            lock: SeqLock::new(),
            first: AtomicU32::new(0),
            second: AtomicU32::new(0),
        })
    }
}

#[test]
fn seqlock() {
    Models::of("seqlock")
        .explore("read and write", ORDERINGS, || {
            let shared = Pair::shared();
            let other = Arc::clone(&shared);
            let writer = thread::spawn(move || other.write());
            // In a thread of its own, so that loom also runs it after the writer, unsynchronised.
            let other = Arc::clone(&shared);
            let reader = thread::spawn(move || other.read());
            writer.join().unwrap();
            assert!(reader.join().unwrap() <= 1, "{WRONG_DATA}");
            assert_eq!(shared.read(), 1, "{WRONG_DATA}");
        })
        .explore("two writers", &[], || {
            let shared = Pair::shared();
            let other = Arc::clone(&shared);
            let writer = thread::spawn(move || other.write());
            shared.write();
            writer.join().unwrap();
            assert_eq!(shared.read(), 2, "{WRONG_DATA}");
        })
        .need_every_ordering(&[]);
}
