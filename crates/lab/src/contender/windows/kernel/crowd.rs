//! Tests with more waiting threads than `WaitForMultipleObjects` accepts objects (64).

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

use super::super::super::visit::{Listing, Visitor};
use super::super::super::{Contender, Family, LockOptions};
use crate::processors;

const THREADS: u32 = 100;
const EACH: u32 = 5;

/// A counter that loses additions unless the lock provides mutual exclusion.
struct Unprotected(UnsafeCell<u32>);

// SAFETY: touched only while holding the lock; the test checks that the lock excludes other threads.
unsafe impl Sync for Unprotected {}

/// Makes all threads arrive at the lock while it is held; each counts once it is free.
struct Crowd {
    locks: u32,
}

impl Visitor for Crowd {
    fn lock<L: Contender>(&mut self, listing: Listing) {
        assert_eq!(listing.family, Family::Kernel, "{}", listing.name());
        self.locks += 1;
        let options = LockOptions {
            spin: None,
            gate: None,
        };
        let lock = L::create(&options).unwrap();
        let counter = Unprotected(UnsafeCell::new(0));
        let (counter, lock) = (&counter, &lock);
        let arrived = AtomicU32::new(0);
        let arrived = &arrived;
        thread::scope(|scope| {
            let held = lock.acquire();
            for _ in 0..THREADS {
                let body = move || {
                    arrived.fetch_add(1, SeqCst);
                    for _ in 0..EACH {
                        let held = lock.acquire();
                        // SAFETY: the lock is held; volatile, so that it remains a load and a store.
                        unsafe {
                            let value = counter.0.get().read_volatile();
                            counter.0.get().write_volatile(value + 1);
                        }
                        drop(held);
                    }
                };
                thread::Builder::new()
                    .stack_size(128 << 10)
                    .spawn_scoped(scope, body)
                    .unwrap();
            }
            while arrived.load(SeqCst) < THREADS {
                thread::yield_now();
            }
            // SAFETY: the lock is held.
            let early = unsafe { counter.0.get().read_volatile() };
            assert_eq!(early, 0, "{}", listing.name());
            drop(held);
        });
        // SAFETY: all threads have ended.
        let counted = unsafe { *counter.0.get() };
        assert_eq!(counted, THREADS * EACH, "{}", listing.name());
    }
}

#[test]
fn a_hundred_threads_wait_for_one_object() {
    let _turn = processors::alone();
    let mut crowd = Crowd { locks: 0 };
    super::visit(&mut crowd);
    assert_eq!(crowd.locks, 3, "the mutex, the semaphore and the event");
}
