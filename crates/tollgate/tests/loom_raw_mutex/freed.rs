//! The last user of the lock frees it.

use tollgate::RawMutex;

use crate::checker::{Models, Outcome};
use crate::scene::{
    Preempted, Scene, by_stores, faults, impatient, impatient_by_stores, patient, spawn,
};

fn leave(scene: &Scene, users: u32) -> u32 {
    scene.lock.lock();
    let last = scene.count_up() == users;
    scene.unlock();
    if last {
        scene.lock.end();
    }
    1
}

fn freed(make: fn() -> RawMutex, users: u32) -> impl Fn() + Send + Sync + 'static {
    move || {
        let scene = Scene::new(make());
        let others: Vec<_> = (1..users)
            .map(|_| spawn(&scene, move |scene| leave(scene, users)))
            .collect();
        leave(&scene, users);
        for other in others {
            other.join().unwrap();
        }
    }
}

#[test]
fn by_the_last() {
    let after_exchange = faults(Outcome::Race, &["touches the lock after an exchange"]);
    let after_store = faults(Outcome::Race, &["touches the lock after a store"]);
    Models::of("freed::by_the_last")
        .explore("exchange", &after_exchange, freed(patient, 2))
        .explore("stores", &after_store, freed(by_stores, 2))
        .explore("impatient", &after_exchange, freed(impatient, 2))
        .explore(
            "impatient, stores",
            &after_store,
            freed(impatient_by_stores, 2),
        )
        .need_every_ordering(&[]);
}

#[test]
fn by_the_last_of_three() {
    Models::of("freed::by_the_last_of_three")
        .preempted(2)
        .explore("exchange", &[], freed(patient, 3))
        .explore("stores", &[], freed(by_stores, 3));
}
