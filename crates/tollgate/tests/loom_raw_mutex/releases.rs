//! Releases by exchanges and by stores, while heirs and spinners come.

use tollgate::RawMutex;

use crate::checker::{Models, Outcome};
use crate::scene::{
    Preempted, Scene, by_either, by_stores, faults, impatient, impatient_by_either,
    impatient_by_stores, patient, revoking, revoking_by_stores, spawn,
};

/// One holds the lock, and comes back `again` times, while others come.
fn held(make: fn() -> RawMutex, again: u32, others: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let scene = Scene::held(make());
        let others: Vec<_> = (0..others).map(|_| spawn(&scene, Scene::locked)).collect();
        scene.count_up_and_unlock();
        for _ in 0..again {
            scene.locked();
        }
        scene.close(1 + again, others);
    }
}

#[test]
fn one_waits() {
    Models::of("releases::one_waits")
        .explore(
            "exchange",
            &faults(
                Outcome::Stuck,
                &[
                    "SPINNER stays: heir",
                    "SPINNER stays: spun as the heir",
                    "an heir that acquires remains the heir",
                    "calls and does not wake",
                ],
            ),
            held(patient, 1, 1),
        )
        .explore(
            "stores",
            &faults(Outcome::Stuck, &["no barrier", "no look after the barrier"]),
            held(by_stores, 1, 1),
        )
        .explore(
            "either",
            &faults(Outcome::Stuck, &["no barrier", "no look after the barrier"]),
            held(by_either, 1, 1),
        )
        .explore(
            "impatient",
            &faults(Outcome::Stuck, &["hands over and does not wake"]),
            held(impatient, 1, 1),
        )
        .preempted(2)
        .explore("impatient, stores", &[], held(impatient_by_stores, 1, 1))
        .need_every_ordering(&[]);
}

#[test]
fn two_come() {
    Models::of("releases::two_come")
        .preempted(2)
        .explore(
            "exchange",
            &faults(
                Outcome::Stuck,
                &["a call is dropped for the spinner", "SPINNER stays: queue"],
            ),
            held(patient, 0, 2),
        )
        .explore(
            "stores",
            &faults(Outcome::Stuck, &["attention ends before the call"]),
            held(by_stores, 0, 2),
        )
        .explore("either", &[], held(by_either, 0, 2))
        .explore("impatient", &[], held(impatient, 0, 2))
        .explore("impatient, stores", &[], held(impatient_by_stores, 0, 2))
        .explore("impatient, either", &[], held(impatient_by_either, 0, 2))
        .explore("revoking", &[], held(revoking, 0, 2))
        .preempted(1)
        .explore("revoking, stores", &[], held(revoking_by_stores, 1, 2));
}
