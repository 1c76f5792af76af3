//! Releases that hand over to the first thread that waits, whether its time has come or not.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use loom::thread;
use tollgate::RawMutex;

use crate::checker::{Models, Outcome, WRONG_DATA};
use crate::scene::{Preempted, Scene, by_either, by_stores, faults, impatient, patient, spawn};

/// A thread waits, and another comes back after a fair release: it does not overtake the first, if that slept.
fn overtaking(
    make: fn() -> RawMutex,
    places: bool,
    handed_over: &'static AtomicUsize,
) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (scene, first) = if places {
            let (scene, [place]) = Scene::with_places(make());
            let first = spawn(&scene, move |scene| scene.locked_from(place));
            (scene, first)
        } else {
            let scene = Scene::held(make());
            let first = spawn(&scene, Scene::locked);
            // Makes loom explore first what happens when the heir is asleep.
            thread::yield_now();
            (scene, first)
        };
        let waits = scene.lock.has_first();
        scene.count_up_and_unlock_fairly();
        scene.lock.lock();
        let overtakes = scene.count_up() == 2;
        assert!(!(waits && overtakes), "{WRONG_DATA}: overtaken");
        handed_over.fetch_add(usize::from(waits), Relaxed);
        scene.unlock();
        scene.close(2, [first]);
    }
}

#[test]
fn nobody_overtakes() {
    static HEIR: AtomicUsize = AtomicUsize::new(0);
    static QUEUE: AtomicUsize = AtomicUsize::new(0);
    let overtakes = faults(Outcome::Race, &["a fair release lets others overtake"]);
    Models::of("fair::nobody_overtakes")
        .preempted(2)
        .explore("heir", &overtakes, overtaking(patient, false, &HEIR))
        .explore("heir, stores", &[], overtaking(by_stores, false, &HEIR))
        .explore("heir, impatient", &[], overtaking(impatient, false, &HEIR))
        .explore("queue", &overtakes, overtaking(patient, true, &QUEUE))
        .explore("queue, either", &[], overtaking(by_either, true, &QUEUE));
    for handed_over in [&HEIR, &QUEUE] {
        assert!(handed_over.load(Relaxed) > 0);
    }
}

/// The first gives up at any moment, while the holder releases fairly: the lock is not lost with it.
fn gives_up(make: fn() -> RawMutex) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (scene, [first, second]) = Scene::with_places(make());
        let first = spawn(&scene, move |scene| scene.locked_in_no_time_from(first));
        scene.count_up_and_unlock_fairly();
        scene.locked_from(second);
        scene.close(2, [first]);
    }
}

/// Two threads, of which one naps as an heir that was overtaken, and a holder that releases fairly again and again.
fn naps(make: fn() -> RawMutex) -> impl Fn() + Send + Sync + 'static {
    move || {
        let scene = Scene::held(make());
        let heir = spawn(&scene, Scene::locked);
        scene.count_up_and_unlock();
        scene.lock.lock();
        scene.count_up_and_unlock_fairly();
        scene.close(2, [heir]);
    }
}

#[test]
fn the_first_comes_in_or_leaves() {
    Models::of("fair::the_first_comes_in_or_leaves")
        .preempted(2)
        .explore("gives up", &[], gives_up(patient))
        .explore("gives up, stores", &[], gives_up(by_stores))
        .explore("naps", &[], naps(patient))
        .explore("naps, stores", &[], naps(by_stores));
}
