//! Hand-over to an heir that is due, and its revocation.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use loom::thread;
use tollgate::RawMutex;

use crate::checker::{Models, Outcome, WRONG_DATA};
use crate::scene::{
    Preempted, Scene, faults, impatient, impatient_by_stores, revoking, revoking_by_stores, spawn,
};

/// How often a model has come by what it is about.
struct Reached {
    handed_over: AtomicUsize,
    revoked: AtomicUsize,
}

impl Reached {
    const fn new() -> Self {
        Self {
            handed_over: AtomicUsize::new(0),
            revoked: AtomicUsize::new(0),
        }
    }

    fn both(&self) -> (usize, usize) {
        (self.handed_over.load(Relaxed), self.revoked.load(Relaxed))
    }
}

/// Once the heir is due, the next release gives the lock to it, and to nobody who comes then; unless that is revoked, and it is due
/// still.
fn handed_over(
    make: fn() -> RawMutex,
    revocable: bool,
    reached: &'static Reached,
) -> impl Fn() + Send + Sync + 'static {
    move || {
        let scene = Scene::held(make());
        let heir = spawn(&scene, Scene::locked);
        // Makes loom explore first what happens when the heir is asleep.
        thread::yield_now();
        let due = scene.lock.is_due();
        scene.count_up_and_unlock();
        scene.lock.lock();
        let overtaken = scene.count_up() == 2;
        if due && overtaken {
            assert!(revocable && scene.lock.is_due(), "{WRONG_DATA}: overtaken");
            reached.revoked.fetch_add(1, Relaxed);
        } else if due {
            reached.handed_over.fetch_add(1, Relaxed);
        }
        scene.unlock();
        scene.close(2, [heir]);
    }
}

#[test]
fn stands() {
    static BY_EXCHANGE: Reached = Reached::new();
    static BY_STORE: Reached = Reached::new();
    let forgotten = faults(Outcome::Race, &["a release forgets DUE"]);
    Models::of("hand_over::stands")
        .preempted(2)
        .explore(
            "exchange",
            &forgotten,
            handed_over(impatient, false, &BY_EXCHANGE),
        )
        .explore(
            "stores",
            &forgotten,
            handed_over(impatient_by_stores, false, &BY_STORE),
        );
    for reached in [&BY_EXCHANGE, &BY_STORE] {
        assert!(reached.handed_over.load(Relaxed) > 0);
    }
}

#[test]
fn is_revoked() {
    static BY_EXCHANGE: Reached = Reached::new();
    static BY_STORE: Reached = Reached::new();
    let wrong = faults(
        Outcome::Race,
        &["a revocation leaves GRANTED", "a revocation forgets DUE"],
    );
    Models::of("hand_over::is_revoked")
        .preempted(1)
        .explore(
            "exchange",
            &wrong,
            handed_over(revoking, true, &BY_EXCHANGE),
        )
        .explore(
            "stores",
            &wrong,
            handed_over(revoking_by_stores, true, &BY_STORE),
        );
    for reached in [&BY_EXCHANGE, &BY_STORE] {
        let (handed_over, revoked) = reached.both();
        println!("handed over {handed_over} times, revoked {revoked} times");
        assert!(handed_over > 0 && revoked > 0);
    }
}
