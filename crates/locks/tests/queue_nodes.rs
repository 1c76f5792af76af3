//! Locks that keep nodes for their callers: any number at once, released in any order, on any
//! thread, at any time in a thread's life.
#![cfg(all(not(locktoll_loom), feature = "std"))]

use locktoll_lock_checks::guard::Guard;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use locktoll_locks::lock_api::RawMutex;
use locktoll_locks::*;

/// One test for each lock that keeps nodes.
macro_rules! for_queue_locks {
    ($($test:ident => $body:ident;)+) => {
        $(
            mod $test {
                #[test]
                fn clh() {
                    super::$body::<locktoll_locks::Clh>();
                }
                #[test]
                fn mcs() {
                    super::$body::<locktoll_locks::Mcs>();
                }
                #[test]
                fn mcs_park() {
                    super::$body::<locktoll_locks::McsPark>();
                }
            }
        )+
    };
}
for_queue_locks! {
    releases_in_any_order => release_in_any_order;
    survives_thread_churn => churn;
    works_while_a_thread_ends => lock_in_destructors;
    is_released_by_another_thread => release_elsewhere;
    may_be_dropped_while_held => drop_while_held;
}

trait Lock: RawLock + RawMutex + 'static {}
impl<R: RawLock + RawMutex + 'static> Lock for R {}

/// More at once than a thread's cache holds.
fn release_in_any_order<R: Lock>() {
    let _guard = Guard::new();
    let locks: Vec<Mutex<R, usize>> = (0..100).map(Mutex::new).collect();
    for stride in [1, 3, 7, 99] {
        let mut guards: Vec<_> = locks.iter().map(|lock| Some(lock.lock())).collect();
        for i in 0..guards.len() {
            let guard = guards[i * stride % 100]
                .take()
                .expect("a stride that visits all");
            assert_eq!(*guard, i * stride % 100);
        }
        assert!(locks.iter().all(|lock| !lock.is_locked()));
    }
}

/// Threads that come and go, with two locks each, released in the order of acquisition.
fn churn<R: Lock>() {
    let _guard = Guard::new();
    let locks = Arc::new([Mutex::<R, u64>::new(0), Mutex::<R, u64>::new(0)]);
    let begin = Instant::now();
    let mut threads = 0;
    while begin.elapsed() < Duration::from_millis(150) {
        let batch: Vec<_> = (0..4)
            .map(|_| {
                let locks = Arc::clone(&locks);
                thread::spawn(move || {
                    for _ in 0..10 {
                        let mut first = locks[0].lock();
                        let mut second = locks[1].lock();
                        *first += 1;
                        *second += 1;
                        drop(first);
                        drop(second);
                    }
                })
            })
            .collect();
        threads += batch.len() as u64;
        for thread in batch {
            thread.join().unwrap();
        }
    }
    assert_eq!(*locks[0].lock(), threads * 10);
    assert_eq!(*locks[1].lock(), threads * 10);
}

/// Destructors of thread-local values run in an order that nobody controls: before the node cache's
/// own, and after it.
fn lock_in_destructors<R: Lock>() {
    let _guard = Guard::new();
    struct LocksWhenDropped<R: Lock>(Arc<Mutex<R, usize>>);
    impl<R: Lock> Drop for LocksWhenDropped<R> {
        fn drop(&mut self) {
            for _ in 0..3 {
                *self.0.lock() += 1;
                if let Some(mut count) = self.0.try_lock() {
                    *count += 1;
                }
            }
        }
    }
    std::thread_local! {
        static EARLY: RefCell<Vec<Box<dyn std::any::Any>>> = const { RefCell::new(Vec::new()) };
        static LATE: RefCell<Vec<Box<dyn std::any::Any>>> = const { RefCell::new(Vec::new()) };
    }
    let count = Arc::new(Mutex::<R, usize>::new(0));
    for _ in 0..20 {
        let count = Arc::clone(&count);
        thread::spawn(move || {
            let locker = || Box::new(LocksWhenDropped(Arc::clone(&count)));
            EARLY.with_borrow_mut(|lockers| lockers.push(locker()));
            // Registers the cache between the two.
            *count.lock() += 1;
            LATE.with_borrow_mut(|lockers| lockers.push(locker()));
        })
        .join()
        .unwrap();
    }
    assert_eq!(*count.lock(), 20 * (1 + 2 * 6));
}

/// One thread only locks, the other only unlocks: nodes go the other way than usual.
fn release_elsewhere<R: Lock>() {
    let _guard = Guard::new();
    let lock = R::new();
    let held = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0..1000 {
                RawLock::lock(&lock);
                held.store(turn + 1, Relaxed);
                // Any thread may release, as long as it is told to by the holder.
                while held.load(Relaxed) != 0 {
                    thread::yield_now();
                }
            }
        });
        scope.spawn(|| {
            for _ in 0..1000 {
                while held.load(Relaxed) == 0 {
                    thread::yield_now();
                }
                // SAFETY: the other thread holds the lock and waits for this.
                unsafe { RawLock::unlock(&lock) };
                held.store(0, Relaxed);
            }
        });
    });
    assert!(!RawLock::is_locked(&lock));
}

/// `lock_api` allows to forget a guard and drop the lock.
fn drop_while_held<R: Lock>() {
    let _guard = Guard::new();
    for _ in 0..100 {
        let lock = Mutex::<R, ()>::new(());
        std::mem::forget(lock.lock());
        drop(lock);
    }
    let lock = Mutex::<R, ()>::new(());
    drop(lock.lock());
    drop(lock);
}
