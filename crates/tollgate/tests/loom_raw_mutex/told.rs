//! The condition variable with this lock.

use locktoll_waiting::sync::Mutation;
use locktoll_waiting::{Condition, Waiter};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use tollgate::RawMutex;

use crate::checker::{Models, Outcome};
use crate::scene::{Preempted, by_stores, faults, impatient_by_stores, patient};

struct Told {
    condition: Condition,
    lock: RawMutex,
    told: UnsafeCell<bool>,
}

// SAFETY: what is told is touched under the lock; that this excludes is what loom checks.
unsafe impl Sync for Told {}
// SAFETY: as above.
unsafe impl Send for Told {}

impl Told {
    fn tell(&self) {
        self.lock.lock();
        // SAFETY: loom checks that no other access overlaps.
        self.told.with_mut(|told| unsafe { *told = true });
        // SAFETY: locked above.
        unsafe { self.lock.unlock() };
    }

    fn new(lock: RawMutex) -> Arc<Self> {
        Arc::new(Self {
            condition: Condition::new(),
            lock,
            told: UnsafeCell::new(false),
        })
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

/// One waits, one tells it.
fn told(make: fn() -> RawMutex) -> impl Fn() + Send + Sync + 'static {
    move || {
        let scene = Told::new(make());
        let teller = Arc::clone(&scene);
        let telling = thread::spawn(move || {
            teller.tell();
            teller.condition.signal();
        });
        scene.wait_until_told();
        telling.join().unwrap();
    }
}

#[test]
fn by_signal() {
    let lost = [(Mutation::DropWake, Outcome::Stuck)];
    Models::of("told::by_signal")
        .explore("exchange", &lost, told(patient))
        .explore("stores", &lost, told(by_stores))
        .preempted(2)
        .explore("impatient, stores", &[], told(impatient_by_stores));
}

/// Two wait, and are told by one who releases the lock by a store while another one broadcasts without it.
fn moved() {
    let scene = Told::new(by_stores());
    let mut others: Vec<_> = (0..2)
        .map(|_| {
            let scene = Arc::clone(&scene);
            thread::spawn(move || scene.wait_until_told())
        })
        .collect();
    // Makes loom explore first what happens when both wait.
    thread::yield_now();
    scene.lock.lock();
    // SAFETY: loom checks that no other access overlaps.
    scene.told.with_mut(|told| unsafe { *told = true });
    let other = Arc::clone(&scene);
    others.push(thread::spawn(move || other.condition.broadcast()));
    // SAFETY: locked above.
    unsafe { scene.lock.unlock() };
    for other in others {
        other.join().unwrap();
    }
}

#[test]
fn by_broadcast() {
    Models::of("told::by_broadcast").preempted(1).explore(
        "moved",
        &faults(Outcome::Stuck, &["moved without an heir"]),
        moved,
    );
}
