//! Reader-writer locks and sequence locks under real threads.
#![cfg(not(locktoll_loom))]

use locktoll_lock_checks::guard::Guard;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use locktoll_locks::lock_api::RawRwLock;
use locktoll_locks::*;
use proptest::prelude::*;

const LENGTH: Duration = Duration::from_millis(200);

/// Writers keep two numbers equal; readers check, and some of both only try.
fn readers_and_writers<R: RawRwLock + Send + Sync>(raw: R) {
    let _guard = Guard::new();
    let pair = RwLock::<R, (u64, u64)>::from_raw(raw, (0, 0));
    let begin = Instant::now();
    let written: u64 = thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|i| {
                let pair = &pair;
                scope.spawn(move || {
                    let mut written = 0;
                    // At least once: on a busy machine the time may be over before this begins.
                    while written == 0 || begin.elapsed() < LENGTH {
                        let guard = if i == 0 {
                            pair.try_write()
                        } else {
                            Some(pair.write())
                        };
                        if let Some(mut pair) = guard {
                            pair.0 += 1;
                            std::hint::black_box(&mut *pair);
                            pair.1 += 1;
                            written += 1;
                        }
                        // Readers that are preferred must have a time to be preferred at.
                        thread::yield_now();
                    }
                    written
                })
            })
            .collect();
        for i in 0..4 {
            let pair = &pair;
            scope.spawn(move || {
                let mut last = 0;
                while begin.elapsed() < LENGTH {
                    let guard = if i == 0 {
                        pair.try_read()
                    } else {
                        Some(pair.read())
                    };
                    if let Some(pair) = guard {
                        assert_eq!(pair.0, pair.1, "a writer was in with a reader");
                        assert!(pair.0 >= last, "an older value came back");
                        last = pair.0;
                    }
                }
            });
        }
        writers.into_iter().map(|w| w.join().unwrap()).sum()
    });
    assert!(written > 0);
    assert_eq!(*pair.read(), (written, written), "writes were lost");
    let readers = (pair.read(), pair.read());
    assert!(pair.try_write().is_none());
    assert!(
        pair.try_read().is_some(),
        "readers do not exclude each other"
    );
    drop(readers);
    let writer = pair.write();
    assert!(pair.is_locked_exclusive());
    assert!(pair.try_read().is_none());
    drop(writer);
    assert!(!pair.is_locked());
}

#[test]
fn rw_fair() {
    readers_and_writers(RwFair::new());
}

#[test]
fn rw_reader() {
    readers_and_writers(RwReader::new());
}

/// The ways to wait before parking: not at all, spinning, spinning and yielding.
const WAYS: [Waiting; 3] = [
    Waiting::PARK_AT_ONCE,
    RwPark::DEFAULT_WAITING,
    Waiting {
        spin: 100,
        yields: 10,
    },
];

#[test]
fn rw_park() {
    for preference in [Preference::Readers, Preference::Writers] {
        for waiting in WAYS {
            readers_and_writers(RwPark::with(preference, waiting));
        }
    }
}

/// All kinds of calls, most of them with deadlines in the next microseconds, on one lock. At the end it is free, and
/// nobody has been left asleep.
#[test]
fn rw_park_with_deadlines() {
    let _guard = Guard::new();
    for preference in [Preference::Readers, Preference::Writers] {
        for waiting in WAYS {
            let lock = RwPark::with(preference, waiting);
            let pair = [const { AtomicU64::new(0) }; 2];
            let written = AtomicU64::new(0);
            thread::scope(|scope| {
                for seed in 0..8_u64 {
                    let (lock, pair, written) = (&lock, &pair, &written);
                    scope.spawn(move || {
                        for round in 0..3_000_u64 {
                            let dice = (seed * 3_000 + round).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                            let soon = in_ns(dice >> 45);
                            let deadline = (dice & 3 != 0).then_some(&soon);
                            if dice & 4 == 0 {
                                if lock.lock_shared_until(deadline).is_ok() {
                                    assert_eq!(pair[0].load(Relaxed), pair[1].load(Relaxed));
                                    // SAFETY: locked above.
                                    assert!(unsafe { lock.unlock() });
                                }
                            } else if lock.lock_exclusive_until(deadline).is_ok() {
                                for it in pair {
                                    it.fetch_add(1, Relaxed);
                                }
                                written.fetch_add(1, Relaxed);
                                // SAFETY: locked above.
                                assert!(unsafe { lock.unlock() });
                            }
                        }
                    });
                }
            });
            assert!(!RawRw::is_locked(&lock));
            assert_eq!(pair[0].load(Relaxed), written.load(Relaxed));
            // SAFETY: nobody is inside, which is what it says.
            assert!(!unsafe { lock.unlock() });
        }
    }
}

fn in_ns(nanoseconds: u64) -> Deadline {
    Deadline::after(DeadlineClock::Monotonic, Duration::from_nanos(nanoseconds))
}

/// A writer that waits keeps readers out, or does not, as the lock was told; and one that gives up lets them in again.
#[test]
fn rw_park_prefers_whom_it_is_told_to() {
    let _guard = Guard::new();
    for preference in [Preference::Readers, Preference::Writers] {
        let lock = RwPark::with(preference, Waiting::PARK_AT_ONCE);
        lock.lock_shared_until(None).unwrap();
        thread::scope(|scope| {
            let writer = scope.spawn(|| lock.lock_exclusive_until(Some(&in_ns(1_000_000_000))));
            if preference == Preference::Writers {
                while lock.try_lock_shared_or_why().is_ok() {
                    // SAFETY: locked above.
                    unsafe { lock.unlock() };
                    thread::yield_now();
                }
            }
            assert_eq!(
                lock.lock_shared_until(Some(&in_ns(0))).is_ok(),
                preference == Preference::Readers
            );
            // Either at once, or when the writer gives up.
            lock.lock_shared_until(None).unwrap();
            assert_eq!(writer.join().unwrap(), Err(NotAcquired::TimedOut));
        });
        let readers = if preference == Preference::Readers {
            3
        } else {
            2
        };
        for _ in 0..readers {
            // SAFETY: so many times it was locked.
            assert!(unsafe { lock.unlock() });
        }
        assert!(!RawRw::is_locked(&lock));
    }
}

/// Two readers that overlap all the time: the fair lock lets a writer in nevertheless.
#[test]
fn a_fair_lock_does_not_starve_writers() {
    let _guard = Guard::new();
    let lock = RwLock::<RwFair, ()>::new(());
    let written = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !written.load(Relaxed) {
                    let first = lock.read();
                    thread::yield_now();
                    drop(first);
                }
            });
        }
        scope.spawn(|| {
            drop(lock.write());
            written.store(true, Relaxed);
        });
    });
}

/// Readers of a sequence lock see what one writer left, never a mixture.
#[test]
fn a_sequence_lock_gives_consistent_reads() {
    let _guard = Guard::new();
    let lock = SeqLock::<Ttas>::new();
    let words = [const { AtomicU64::new(0) }; 8];
    let begin = Instant::now();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    lock.write(|| {
                        let next = words[0].load(Relaxed) + 1;
                        words.iter().for_each(|word| word.store(next, Relaxed));
                    });
                    if begin.elapsed() >= LENGTH {
                        break;
                    }
                }
            });
        }
        scope.spawn(|| {
            while begin.elapsed() < LENGTH {
                let seen = lock.read(|| words.each_ref().map(|word| word.load(Relaxed)));
                assert!(seen.iter().all(|word| *word == seen[0]), "{seen:?}");
            }
        });
    });
    assert!(words[0].load(Relaxed) > 0);
}

#[test]
fn a_sequence_lock_survives_a_writer_that_panics() {
    let lock = SeqLock::<Futex3>::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        lock.write(|| panic!("a writer's own"));
    }));
    assert!(panicked.is_err());
    assert_eq!(lock.read(|| 1), 1);
    assert_eq!(lock.write(|| 2), 2);
}

/// A value of an odd size, so that its last bytes are copied singly.
type Odd = ([u8; 21],);

#[test]
fn a_sequence_cell_is_never_torn() {
    let _guard = Guard::new();
    let cell = SeqCell::<Ttas, [u8; 21]>::new([0; 21]);
    let begin = Instant::now();
    thread::scope(|scope| {
        for step in [1, 3] {
            let cell = &cell;
            scope.spawn(move || {
                while begin.elapsed() < LENGTH {
                    cell.update(|bytes| [bytes[0].wrapping_add(step); 21]);
                }
            });
        }
        scope.spawn(|| {
            while begin.elapsed() < LENGTH {
                let seen: Odd = (cell.load(),);
                assert!(seen.0.iter().all(|byte| *byte == seen.0[0]), "{seen:?}");
            }
        });
    });
}

proptest! {
    #[test]
    fn a_sequence_cell_returns_what_was_stored(
        bytes: [u8; 7], words: [u64; 3], wide: u128, half: u16, flag: bool,
    ) {
        let a = SeqCell::<Ttas, [u8; 7]>::new([0; 7]);
        a.store(bytes);
        prop_assert_eq!(a.load(), bytes);
        let b = SeqCell::<Ttas, [u64; 3]>::new([0; 3]);
        prop_assert_eq!(b.update(|_| words), words);
        prop_assert_eq!(b.load(), words);
        prop_assert_eq!(SeqCell::<Ttas, u128>::new(wide).load(), wide);
        prop_assert_eq!(SeqCell::<Ttas, u16>::new(half).load(), half);
        prop_assert_eq!(SeqCell::<Ttas, bool>::new(flag).load(), flag);
    }

    /// Each key has one stripe, within the number in use; sequential keys and addresses spread over
    /// all.
    #[test]
    fn stripes_are_stable_and_spread(used in 1usize..=64, base: u64, shift in 0u32..12) {
        let stripes = Striped::<Ttas, 64>::with_stripes(used);
        let mut hits = [0; 64];
        for i in 0..4096u64 {
            let key = base.wrapping_add(i << shift);
            let index = stripes.index_of(key);
            prop_assert!(index < used);
            prop_assert_eq!(index, stripes.index_of(key));
            prop_assert!(std::ptr::eq(stripes.of(key), stripes.iter().nth(index).unwrap()));
            hits[index] += 1;
        }
        // A fair share is 4096 / used; no stripe is idle, and none has more than three times its
        // share.
        let fair = 1..=3 * 4096 / used;
        prop_assert!(hits[..used].iter().all(|h| fair.contains(h)), "{:?}", &hits[..used]);
        prop_assert_eq!(stripes.len(), used);
        prop_assert_eq!(stripes.iter().count(), used);
    }
}
