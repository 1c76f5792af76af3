//! Waiters outside the queue whose time is up.

use locktoll_waiting::{Deadline, TimedLock};
use loom::sync::Arc;
use tollgate::RawMutex;

use crate::checker::{Models, Outcome};
use crate::scene::{Scene, faults, impatient, impatient_by_stores, patient, spawn};

/// An heir without a queue.
fn heir(make: fn() -> RawMutex) -> impl Fn() + Send + Sync + 'static {
    move || {
        let scene = Scene::held(make());
        let deadline = Arc::new(Deadline::when_told());
        let told = Arc::clone(&deadline);
        let heir = spawn(&scene, move |scene| scene.locked_until(&told));
        deadline.pass();
        scene.count_up_and_unlock();
        scene.close(1, [heir]);
    }
}

/// A spinner, while there may be an heir. The model's own thread holds the lock and wants it in vain.
fn spinner() {
    let scene = Scene::held(patient());
    let heir = spawn(&scene, Scene::locked);
    let past = Deadline::new();
    assert!(!past.has_passed());
    assert!(!scene.lock.try_lock_until(&past));
    scene.count_up_and_unlock();
    scene.close(1, [heir]);
}

#[test]
fn late() {
    let given = faults(Outcome::Stuck, &["an heir gives up what it has been given"]);
    Models::of("giving_up::late")
        .explore("heir", &given, heir(impatient))
        .explore("heir, stores", &given, heir(impatient_by_stores))
        .explore(
            "spinner",
            &faults(Outcome::Stuck, &["SPINNER stays: late"]),
            spinner,
        );
}
