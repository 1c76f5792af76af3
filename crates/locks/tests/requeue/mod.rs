//! Models of waiters that a broadcast moves to the queue of a `Tollgate`.

use super::checker::{Models, Outcome, PARKING, REFUSED, WRONG_DATA};
use locktoll_locks::*;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// A condition, the lock that goes with it, what it is about, and how many have heard of it.
struct Scene {
    condition: Condition,
    lock: Tollgate,
    told: UnsafeCell<bool>,
    heard: UnsafeCell<u32>,
}

// SAFETY: both cells are touched under the lock; that this excludes is what loom checks.
unsafe impl Sync for Scene {}
// SAFETY: as above.
unsafe impl Send for Scene {}

impl Scene {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            condition: Condition::new(),
            lock: Tollgate::new(),
            told: UnsafeCell::new(false),
            heard: UnsafeCell::new(0),
        })
    }

    /// Waits until told, or, if `late`, perhaps not so long.
    fn wait(&self, late: bool) {
        self.lock.lock();
        // SAFETY: loom checks that no write overlaps.
        while !self.told.with(|told| unsafe { *told }) {
            let deadline = late.then(Deadline::new);
            // Never freed, since the modelled kernel's side of a word may be used when its waiter has been let go.
            let waiter = Box::leak(Box::new(Waiter::new()));
            // SAFETY: locked above; a new waiter.
            let signalled = unsafe {
                self.condition
                    .wait_as(waiter, &self.lock, deadline.as_ref())
            };
            waiter.end();
            if !signalled {
                break;
            }
        }
        // SAFETY: loom checks that no other access overlaps.
        self.heard.with_mut(|heard| unsafe { *heard += 1 });
        // SAFETY: held.
        unsafe { self.lock.unlock() };
    }

    /// With the lock held: tells all.
    fn tell(&self) {
        self.lock.lock();
        // SAFETY: loom checks that no other access overlaps.
        self.told.with_mut(|told| unsafe { *told = true });
        self.condition.broadcast();
        // SAFETY: locked above.
        unsafe { self.lock.unlock() };
    }
}

/// Two wait, one of whom may be late; a third tells them with the lock held.
fn told(one_is_late: bool) {
    let scene = Scene::new();
    let others = [one_is_late, false].map(|late| {
        let scene = Arc::clone(&scene);
        thread::spawn(move || scene.wait(late))
    });
    scene.tell();
    for other in others {
        other.join().unwrap();
    }
    // SAFETY: nobody else is there.
    let heard = scene.heard.with(|heard| unsafe { *heard });
    assert_eq!(heard, 2, "{WRONG_DATA}");
    assert!(scene.lock.try_lock(), "{}", REFUSED);
}

fn fault(name: &str) -> (Mutation, Outcome) {
    (Mutation::Fault(name.into()), Outcome::Stuck)
}

/// A broadcast more, for nothing, by a thread that does not hold the lock: one of the waiters may, being about to release it.
fn moved_by_a_stranger() {
    let scene = Scene::new();
    let others = [0; 2].map(|_| {
        let scene = Arc::clone(&scene);
        thread::spawn(move || scene.wait(false))
    });
    scene.condition.broadcast();
    scene.tell();
    for other in others {
        other.join().unwrap();
    }
}

#[test]
fn moved() {
    Models::of("requeue::moved")
        .found_by_two()
        .explore(
            "both are moved",
            &[
                PARKING,
                &[
                    fault("moved without an heir"),
                    fault("appointed and not let go"),
                ],
            ]
            .concat(),
            || told(false),
        )
        .explore("one is late", &[], || told(true))
        .explore("moved by a stranger", &[], moved_by_a_stranger);
}
