//! Tests that every lock of this build keeps the promises of the trait.

use std::cell::UnsafeCell;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::none::NoLock;
use super::visit::{self, Listing, Visitor};
use super::{Contender, LockOptions, NONE};
use crate::processors;

/// Returns the options that a lock is listed with.
fn options(listing: &Listing) -> LockOptions {
    LockOptions::with_number(listing.number())
}

/// A counter that loses additions unless the lock provides mutual exclusion.
struct Unprotected(UnsafeCell<u64>);

// SAFETY: the tests touch it only while holding the lock; they check that the lock excludes other threads.
unsafe impl Sync for Unprotected {}

/// Makes a lock, and moves it once, as the harness moves it to its place in a cache line.
fn make<L: Contender>(options: &LockOptions, name: &str) -> Box<L> {
    Box::new(L::create(options).unwrap_or_else(|error| panic!("{name}: {error}")))
}

#[test]
fn every_lock_excludes() {
    struct Check;
    impl Visitor for Check {
        fn lock<L: Contender>(&mut self, listing: Listing) {
            const THREADS: u64 = 4;
            const MOST_EACH: u64 = 20_000;
            let lock = make::<L>(&options(&listing), listing.name());
            let counter = Unprotected(UnsafeCell::new(0));
            let counter = &counter;
            let together = Barrier::new(THREADS as usize);
            // Also limited by time: a FIFO spin lock shared by four threads on one CPU takes a whole time slice for each
            // hand-over. A thread that first runs after the limit still does its first operation.
            let end = Instant::now() + Duration::from_millis(150);
            let done: u64 = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..THREADS)
                    .map(|_| {
                        scope.spawn(|| {
                            together.wait();
                            let mut done = 0;
                            while done < MOST_EACH
                                && (done == 0 || done % 16 != 0 || Instant::now() < end)
                            {
                                let held = lock.acquire();
                                // SAFETY: the lock is held; see `Unprotected`. Volatile, so that the addition remains a separate
                                // load and store, between which another thread can run.
                                unsafe {
                                    let value = counter.0.get().read_volatile();
                                    std::hint::spin_loop();
                                    counter.0.get().write_volatile(value + 1);
                                }
                                drop(held);
                                done += 1;
                            }
                            done
                        })
                    })
                    .collect();
                threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap())
                    .sum()
            });
            // SAFETY: all threads have ended.
            let counted = unsafe { *counter.0.get() };
            assert_eq!(counted, done, "{}", listing.name());
            assert!(done >= 16 * THREADS, "{}", listing.name());
        }
    }
    let _turn = processors::alone();
    visit::all(&mut Check);
}

/// Returns whether a second thread gets in only after the first has released.
fn holder_keeps_others_out<L: Contender>(lock: &L) -> bool {
    let released = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let held = lock.acquire();
        let waiter = scope.spawn(|| {
            let _held = lock.acquire();
            released.load(SeqCst)
        });
        // A correct lock passes without this sleep; it gives a broken one time to fail.
        std::thread::sleep(Duration::from_millis(5));
        released.store(true, SeqCst);
        drop(held);
        waiter.join().unwrap()
    })
}

#[test]
fn a_holder_keeps_others_out_until_it_releases() {
    struct Check;
    impl Visitor for Check {
        fn lock<L: Contender>(&mut self, listing: Listing) {
            let lock = make::<L>(&options(&listing), listing.name());
            assert!(holder_keeps_others_out(&*lock), "{}", listing.name());
        }
    }
    visit::all(&mut Check);
}

#[test]
fn what_is_no_lock_is_found_out() {
    let no_lock = make::<NoLock>(&LockOptions::with_number(None), NONE);
    // A single try may miss it, if the second thread is late.
    assert!((0..1_000).any(|_| !holder_keeps_others_out(&*no_lock)));
}

#[test]
fn recursive_locks_are_recursive_and_say_so() {
    struct Check;
    impl Visitor for Check {
        fn lock<L: Contender>(&mut self, listing: Listing) {
            assert_eq!(
                listing.knobs.contains(&"recursive"),
                L::RECURSIVE,
                "{}",
                listing.name()
            );
            if !L::RECURSIVE {
                return;
            }
            let lock = make::<L>(&options(&listing), listing.name());
            let free_again = AtomicBool::new(false);
            std::thread::scope(|scope| {
                let outer = lock.acquire();
                let inner = lock.acquire();
                let waiter = scope.spawn(|| {
                    let _held = lock.acquire();
                    free_again.load(SeqCst)
                });
                drop(inner);
                // Releasing one of two acquisitions does not free it.
                std::thread::sleep(Duration::from_millis(5));
                free_again.store(true, SeqCst);
                drop(outer);
                assert!(waiter.join().unwrap(), "{}", listing.name());
            });
        }
    }
    visit::all(&mut Check);
}

#[test]
fn shared_locks_let_two_readers_in_and_others_do_not() {
    struct Check;
    impl Visitor for Check {
        fn lock<L: Contender>(&mut self, listing: Listing) {
            let shared = listing.knobs.contains(&"shared");
            let lock = make::<L>(&options(&listing), listing.name());
            let inside = AtomicU32::new(0);
            let met = AtomicBool::new(false);
            // Readers of a shared lock stay until they have met, however long that takes. Readers of an exclusive lock stay only
            // for a moment, in which they must not meet.
            let patience =
                Duration::from_secs(if shared { 60 } else { 0 }) + Duration::from_millis(5);
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        lock.read(|| {
                            let start = Instant::now();
                            if inside.fetch_add(1, SeqCst) == 1 {
                                met.store(true, SeqCst);
                            }
                            while !met.load(SeqCst) && start.elapsed() < patience {
                                std::thread::yield_now();
                            }
                            inside.fetch_sub(1, SeqCst);
                        });
                    });
                }
            });
            assert_eq!(met.load(SeqCst), shared, "{}", listing.name());
        }
    }
    visit::all(&mut Check);
}

#[test]
fn a_writer_keeps_readers_out() {
    struct Check;
    impl Visitor for Check {
        fn lock<L: Contender>(&mut self, listing: Listing) {
            let lock = make::<L>(&options(&listing), listing.name());
            let written = AtomicBool::new(false);
            let (reading, read) = mpsc::channel();
            std::thread::scope(|scope| {
                let held = lock.acquire();
                scope.spawn(|| {
                    let reading = reading;
                    let seen = lock.read(|| written.load(SeqCst));
                    reading.send(seen).unwrap();
                });
                std::thread::sleep(Duration::from_millis(5));
                written.store(true, SeqCst);
                drop(held);
            });
            assert!(read.recv().unwrap(), "{}", listing.name());
        }
    }
    visit::all(&mut Check);
}
