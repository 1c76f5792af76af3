//! Semaphores, reader-writer locks, spin locks, barriers, C11's mutexes.

use serde_json::Value;

use crate::bench::answers::{Answers, undisturbed};
use crate::bench::{Bench, lock, number};

fn recorded() -> (Answers, Value) {
    let bench = Bench::new();
    let program = bench.c("other_locks", &[]);
    bench.answers(&[], &[&program])
}

#[test]
fn each_kind_has_its_counts_and_its_contention() {
    undisturbed(|times| {
        let (answers, profile) = recorded();
        let kind = |name: &str| lock(&profile, name)["kind"].as_str().unwrap().to_owned();
        let acquisitions = |name: &str| number(lock(&profile, name), "/acquisitions");
        let contended = |name: &str| number(lock(&profile, name), "/contended");
        let waited_ns = |name: &str| number(lock(&profile, name), "/wait_ns/total");

        assert_eq!(
            (kind("read_only").as_str(), acquisitions("read_only")),
            ("rwlock", 200.0)
        );
        assert_eq!(
            number(lock(&profile, "read_only"), "/read_acquisitions"),
            200.0
        );
        assert_eq!(
            contended("read_only"),
            0.0,
            "readers do not wait for readers"
        );

        assert_eq!(
            (acquisitions("written"), contended("written")),
            (20.0, 10.0)
        );
        assert_eq!(
            number(lock(&profile, "written"), "/read_acquisitions"),
            10.0
        );
        let expected_ns = answers.number("write_wait") + answers.number("read_wait");
        times.between("written", waited_ns("written"), expected_ns, expected_ns);

        assert_eq!(
            (kind("spun").as_str(), acquisitions("spun")),
            ("spin", 4000.0)
        );
        assert_eq!(
            (acquisitions("held_spun"), contended("held_spun")),
            (10.0, 5.0)
        );
        let expected_ns = answers.number("spin_wait");
        times.between(
            "held_spun",
            waited_ns("held_spun"),
            expected_ns,
            expected_ns,
        );

        assert_eq!(
            (kind("c11").as_str(), acquisitions("c11")),
            ("mutex", 2010.0)
        );
        assert!(contended("c11") >= 5.0);
        assert!(waited_ns("c11") >= 0.98 * answers.number("c11_wait"));
    });
}

#[test]
fn a_semaphore_is_a_lock_or_a_signal_by_its_use() {
    let (_, profile) = recorded();
    let as_lock = lock(&profile, "as_lock");
    assert_eq!(
        (&as_lock["kind"], &as_lock["used_as"]),
        (&"semaphore".into(), &"lock".into())
    );
    assert_eq!(number(as_lock, "/acquisitions"), 400.0);
    assert!(number(as_lock, "/contended") > 0.0 && number(as_lock, "/wait_ns/total") > 0.0);

    let as_signal = lock(&profile, "as_signal");
    assert_eq!(as_signal["used_as"], "signal");
    assert_eq!(
        (
            number(as_signal, "/contended"),
            number(as_signal, "/wait_ns/total")
        ),
        (0.0, 0.0)
    );
    assert_eq!(number(as_signal, "/signal/waits"), 20.0);
    assert!(number(as_signal, "/signal/wait_ns/total") > 0.0);
}

#[test]
fn a_barrier_is_a_signal() {
    let (_, profile) = recorded();
    let met = lock(&profile, "met");
    assert_eq!(
        (&met["kind"], &met["used_as"]),
        (&"barrier".into(), &"signal".into())
    );
    assert_eq!(
        (number(met, "/signal/waits"), number(met, "/contended")),
        (60.0, 0.0)
    );
}

#[test]
fn failed_attempts_and_deadlines_are_counted_on_every_kind() {
    undisturbed(|times| {
        let bench = Bench::new();
        let program = bench.c("tries", &[]);
        let (answers, profile) = bench.answers(&[], &[&program]);
        for (name, tries, waits) in [
            ("mutex", 10.0, 3.0),
            ("rwlock", 20.0, 3.0),
            ("spinlock", 10.0, 0.0),
            ("semaphore", 10.0, 3.0),
            ("c11", 10.0, 3.0),
        ] {
            let lock = lock(&profile, name);
            assert_eq!(number(lock, "/acquisitions"), 1.0, "{name}");
            assert_eq!(number(lock, "/try_failed"), tries, "{name}");
            assert_eq!(number(lock, "/timed_out"), waits, "{name}");
            assert_eq!(
                number(lock, "/contended"),
                0.0,
                "{name}: nothing was acquired after a wait"
            );
            if waits > 0.0 {
                let waited_ns = answers.number(name);
                times.between(name, number(lock, "/wait_ns/total"), waited_ns, waited_ns);
            }
        }
    });
}
