//! The queue: appointments, and places that are given up.

use tollgate::RawMutex;

use crate::checker::{Models, Outcome};
use crate::scene::{Preempted, Scene, by_stores, faults, impatient_by_stores, patient, spawn};

/// The first of the queue is appointed, while the holder comes back.
fn appointed(make: fn() -> RawMutex) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (scene, [place]) = Scene::with_places(make());
        let first = spawn(&scene, move |scene| scene.locked_from(place));
        scene.count_up_and_unlock();
        scene.locked();
        scene.close(2, [first]);
    }
}

/// One heir after the other; the holder is the second.
fn two(make: fn() -> RawMutex) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (scene, [first, second]) = Scene::with_places(make());
        let first = spawn(&scene, move |scene| scene.locked_from(first));
        scene.count_up_and_unlock();
        scene.locked_from(second);
        scene.close(2, [first]);
    }
}

#[test]
fn appoints() {
    Models::of("queue::appoints")
        .explore(
            "one",
            &faults(
                Outcome::Stuck,
                &[
                    "appoints and does not wake",
                    "QUEUED stays: the last is appointed",
                ],
            ),
            appointed(patient),
        )
        .explore(
            "two",
            &faults(Outcome::Stuck, &["an heir that acquires does not call"]),
            two(patient),
        )
        .preempted(2)
        .explore("one, stores", &[], appointed(by_stores))
        .explore(
            "one, impatient, stores",
            &[],
            appointed(impatient_by_stores),
        )
        .explore("two, stores", &[], two(by_stores));
}

/// The only one in the queue gives up, and others come, while the holder releases the lock.
fn last_leaves(others: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (scene, [place]) = Scene::with_places(patient());
        let mut others: Vec<_> = (0..others).map(|_| spawn(&scene, Scene::locked)).collect();
        others.push(spawn(&scene, move |scene| {
            scene.locked_in_no_time_from(place)
        }));
        scene.count_up_and_unlock();
        scene.close(1, others);
    }
}

#[test]
fn the_last_leaves() {
    Models::of("queue::the_last_leaves")
        .explore(
            "nobody comes",
            &[
                faults(Outcome::Stuck, &["QUEUED stays: the last leaves"]),
                faults(Outcome::Race, &["leaves though taken"]),
            ]
            .concat(),
            last_leaves(0),
        )
        .preempted(1)
        .explore(
            "one comes",
            &faults(Outcome::Stuck, &["takes back the call of another"]),
            last_leaves(1),
        )
        .explore(
            "two come",
            &faults(Outcome::Stuck, &["appoints beside an heir"]),
            last_leaves(2),
        );
}

/// The first of two gives up, there or as the heir, while the holder comes back.
fn first_gives_up() {
    let (scene, [first, second]) = Scene::with_places(patient());
    let first = spawn(&scene, move |scene| scene.locked_in_no_time_from(first));
    let second = spawn(&scene, move |scene| scene.locked_from(second));
    scene.count_up_and_unlock();
    scene.locked();
    scene.close(2, [first, second]);
}

/// The one in the middle gives up, there or as the heir; the holder is the last.
fn middle_gives_up() {
    let (scene, [first, middle, last]) = Scene::with_places(patient());
    let first = spawn(&scene, move |scene| scene.locked_from(first));
    let middle = spawn(&scene, move |scene| scene.locked_in_no_time_from(middle));
    scene.count_up_and_unlock();
    scene.locked_from(last);
    scene.close(2, [first, middle]);
}

#[test]
fn places_are_given_up() {
    Models::of("queue::places_are_given_up")
        .preempted(2)
        .explore(
            "first",
            &faults(
                Outcome::Stuck,
                &[
                    "an heir gives up and appoints nobody",
                    "QUEUED stays: the heir gives up",
                ],
            ),
            first_gives_up,
        )
        .explore(
            "middle",
            &faults(Outcome::Race, &["leaves though taken"]),
            middle_gives_up,
        );
}
