//! Models of the condition variable: the guarantees of a signal, and how long each thread touches the object and
//! the nodes.
#![cfg(locktoll_loom)]

use locktoll_lock_checks::models as checker;
mod requeue;

use checker::{Models, ORDERINGS, Outcome, PARKING, WRONG_DATA};
use locktoll_locks::*;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// A condition, the lock that goes with it, what it is about, and waiters that stand in its queue from the start.
struct Scene {
    condition: Condition,
    lock: Futex3,
    told: UnsafeCell<bool>,
    waiters: [Waiter; 2],
}

// SAFETY: what is told is touched under the lock; that this excludes is what loom checks.
unsafe impl Sync for Scene {}
// SAFETY: as above.
unsafe impl Send for Scene {}

impl Scene {
    /// With the first `enlisted` waiters in the queue, in their order.
    fn new(enlisted: usize) -> Arc<Self> {
        let scene = Arc::new(Self {
            condition: Condition::new(),
            lock: Futex3::new(),
            told: UnsafeCell::new(false),
            waiters: [Waiter::new(), Waiter::new()],
        });
        for waiter in &scene.waiters[..enlisted] {
            scene.enlist(waiter);
        }
        scene
    }

    fn enlist(&self, waiter: &Waiter) {
        // SAFETY: the waiters live as long as the model, and are enlisted once.
        unsafe { self.condition.enlist(waiter) };
    }

    fn leave(&self, waiter: &Waiter) -> bool {
        // SAFETY: enlisted, and not let go as far as the model knows.
        unsafe { self.condition.leave(waiter) }
    }

    fn tell(&self) {
        self.lock.lock();
        // SAFETY: loom checks that no other access overlaps.
        self.told.with_mut(|told| unsafe { *told = true });
        // SAFETY: locked above.
        unsafe { self.lock.unlock() };
    }

    fn wait_until_told(&self) {
        self.lock.lock();
        // SAFETY: loom checks that no write overlaps.
        while !self.told.with(|told| unsafe { *told }) {
            // Never freed, since the modelled kernel's side of a word may be used when its waiter has been let go.
            let waiter = Box::leak(Box::new(Waiter::new()));
            // SAFETY: locked above; a new waiter.
            assert!(unsafe { self.condition.wait_as(waiter, &self.lock, None) });
            waiter.end();
        }
        // SAFETY: as above.
        unsafe { self.lock.unlock() };
    }
}

fn fault(name: &str, outcome: Outcome) -> (Mutation, Outcome) {
    (Mutation::Fault(name.into()), outcome)
}

/// One waits, one tells it: the signal comes with the lock held or not, before, during or after the wait begins.
fn told() {
    let scene = Scene::new(0);
    let teller = Arc::clone(&scene);
    let telling = thread::spawn(move || {
        teller.tell();
        teller.condition.signal();
    });
    scene.wait_until_told();
    telling.join().unwrap();
}

/// Two wait, one tells both.
fn both_told() {
    let scene = Scene::new(0);
    let others: Vec<_> = (0..2)
        .map(|_| {
            let scene = Arc::clone(&scene);
            thread::spawn(move || scene.wait_until_told())
        })
        .collect();
    scene.tell();
    scene.condition.broadcast();
    for other in others {
        other.join().unwrap();
    }
}

/// A signal is for who stood in the queue when it was sent, not for who comes later.
fn not_stolen() {
    let scene = Scene::new(1);
    let other = Arc::clone(&scene);
    let late = thread::spawn(move || {
        other.enlist(&other.waiters[1]);
        assert!(other.leave(&other.waiters[1]), "{WRONG_DATA}");
    });
    scene.condition.signal();
    assert_eq!(scene.waiters[0].sleep(None), Woken::Signalled);
    late.join().unwrap();
}

/// One signal, two waiters, the older of which is late at the same moment: one of them has the signal, and one alone.
fn late_while_signalled() {
    let scene = Scene::new(2);
    let other = Arc::clone(&scene);
    let signalling = thread::spawn(move || other.condition.signal());
    let [older, younger] = &scene.waiters;
    let woken = older.sleep(Some(&Deadline::new()));
    if woken == Woken::TimedOut && scene.leave(older) {
        signalling.join().unwrap();
        // The signal may have come upon the older one when it was about to leave; then it went to the younger.
        // It may not have been sent to nobody: the younger one was there all the time.
        assert_eq!(younger.sleep(None), Woken::Signalled);
    } else {
        signalling.join().unwrap();
        assert!(scene.leave(younger), "{WRONG_DATA}");
    }
}

/// The thread that has notified all waiters frees the condition at once, although one of them is late at that moment.
fn freed_after_broadcast() {
    let scene = Scene::new(2);
    let waiting: Vec<_> = (0..2)
        .map(|index| {
            let scene = Arc::clone(&scene);
            thread::spawn(move || {
                let waiter = &scene.waiters[index];
                if index == 0 {
                    scene.leave(waiter);
                } else {
                    assert_eq!(waiter.sleep(None), Woken::Signalled);
                }
                waiter.end();
            })
        })
        .collect();
    scene.condition.broadcast();
    scene.condition.retire();
    scene.condition.end();
    for thread in waiting {
        thread.join().unwrap();
    }
}

/// The waiter that is let go frees the condition, while the signal may not have returned.
fn freed_by_the_waiter() {
    let scene = Scene::new(1);
    let other = Arc::clone(&scene);
    let signalling = thread::spawn(move || other.condition.signal());
    let [waiter, _] = &scene.waiters;
    // Late, or signalled: in the second case without `retire`, since nobody else stands in the queue.
    if scene.leave(waiter) {
        signalling.join().unwrap();
    } else {
        waiter.end();
        scene.condition.end();
        signalling.join().unwrap();
    }
}

/// A poke reaches a waiter that sleeps or is about to; a signal at the same moment is not lost by it.
fn poked() {
    let scene = Scene::new(1);
    let other = Arc::clone(&scene);
    let poking = thread::spawn(move || other.waiters[0].poke());
    let [waiter, _] = &scene.waiters;
    assert_eq!(waiter.sleep(None), Woken::Poked);
    scene.condition.signal();
    assert_eq!(waiter.sleep(None), Woken::Signalled);
    poking.join().unwrap();
}

#[test]
fn condition() {
    Models::of("condition")
        .found_by_two()
        .explore("told", PARKING, told)
        .explore("both told", PARKING, both_told)
        .explore(
            "not stolen",
            &[fault("a signal goes to the newest", Outcome::Stuck)],
            not_stolen,
        )
        .explore(
            "late while signalled",
            &[fault("leaves though taken", Outcome::Stuck)],
            late_while_signalled,
        )
        .explore(
            "freed after broadcast",
            &[
                fault("leaves without saying so", Outcome::Race),
                fault("retires at once", Outcome::Race),
            ],
            freed_after_broadcast,
        )
        .explore(
            "freed by the waiter",
            &[
                ORDERINGS,
                &[fault("let go before the queue is released", Outcome::Race)],
            ]
            .concat(),
            freed_by_the_waiter,
        )
        .explore("poked", &[(Mutation::DropWake, Outcome::Stuck)], poked)
        .need_every_ordering(&[]);
}
