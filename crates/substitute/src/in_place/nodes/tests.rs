//! Tests that nodes are distinct, kept and passed on, and that none is lost, either by threads that end or by code that runs
//! after their end.
//!
//! The pool belongs to the process, and other tests use it at the same time, so the counts here may be somewhat higher.

use core::ffi::c_void;
use core::ptr::NonNull;
use std::collections::BTreeSet;
use std::sync::mpsc;
use std::thread;

use locktoll_locks::QueueNode;

use super::{cache, pool, prepare, put, take};

/// Takes `count` nodes at once and puts them back. Returns their addresses.
fn borrow(count: usize) -> BTreeSet<usize> {
    let nodes: Vec<_> = (0..count).map(|_| take()).collect();
    let places = nodes.iter().map(|node| node.addr().get()).collect();
    nodes.into_iter().for_each(put);
    places
}

/// Returns how many nodes were made during `work`.
fn made_by(work: impl FnOnce()) -> u32 {
    let before = pool::made();
    work();
    pool::made() - before
}

/// The number that other tests may make meanwhile.
const OTHERS: u32 = 2000;

#[test]
fn they_are_distinct_and_a_thread_comes_back_to_its_own() {
    prepare();
    thread::spawn(|| {
        assert_eq!(borrow(300).len(), 300);
        let own = borrow(cache::MOST as usize);
        assert_eq!(own, borrow(cache::MOST as usize));
    })
    .join()
    .unwrap();
}

#[test]
fn threads_that_end_leave_theirs_to_others() {
    prepare();
    let made = made_by(|| {
        for _ in 0..500 {
            thread::spawn(|| borrow(20)).join().unwrap();
        }
    });
    assert!(made < OTHERS, "{made} nodes for one thread at a time");
}

#[test]
fn one_thread_takes_and_another_gives_back() {
    prepare();
    let made = made_by(|| {
        let (to, from) = mpsc::sync_channel::<usize>(8);
        let receiver = thread::spawn(move || {
            for place in from {
                let node = core::ptr::with_exposed_provenance_mut(place);
                put(NonNull::new(node).unwrap());
            }
        });
        for _ in 0..20_000 {
            let node: NonNull<QueueNode> = take();
            to.send(node.as_ptr().expose_provenance()).unwrap();
        }
        drop(to);
        receiver.join().unwrap();
    });
    assert!(
        made < OTHERS,
        "{made} nodes, of which 10 were in use at once"
    );
}

/// The destructors of keys that were made after this library's key run after its destructor, and may lock and unlock.
#[test]
fn nothing_is_lost_in_what_runs_after_the_end() {
    unsafe extern "C" fn lock_again(_: *mut c_void) {
        for _ in 0..3 {
            borrow(20);
        }
    }
    prepare();
    let mut later = 0;
    // SAFETY: a place for the key, and a destructor that may be called in any thread.
    let error = unsafe { libc::pthread_key_create(&raw mut later, Some(lock_again)) };
    assert_eq!(error, 0);
    let made = made_by(|| {
        for _ in 0..500 {
            thread::spawn(move || {
                borrow(20);
                // SAFETY: this test's own key.
                unsafe { libc::pthread_setspecific(later, (&raw const later).cast()) };
            })
            .join()
            .unwrap();
        }
    });
    assert!(made < OTHERS, "{made} nodes for one thread at a time");
}

/// Uses the pool from many threads that keep no nodes.
#[test]
fn the_pool_gives_each_node_to_one() {
    const THREADS: usize = 4;
    const ROUNDS: usize = 3000;
    thread::scope(|scope| {
        for thread in 1..=THREADS {
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    let nodes: Vec<_> = (0..5).map(|_| pool::take()).collect();
                    let mark = core::ptr::without_provenance_mut(thread);
                    for node in &nodes {
                        // SAFETY: nodes live forever.
                        unsafe { node.as_ref() }.set_next_spare(mark);
                    }
                    thread::yield_now();
                    for node in nodes {
                        // SAFETY: as above.
                        assert_eq!(unsafe { node.as_ref() }.next_spare(), mark, "two have it");
                        pool::put(node);
                    }
                }
            });
        }
    });
}
