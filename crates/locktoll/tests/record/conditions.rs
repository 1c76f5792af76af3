//! Waiting for a signal is not contention; what comes after the signal may be.

use crate::bench::answers::undisturbed;
use crate::bench::{Bench, lock, number};

#[test]
fn waits_for_a_condition_are_signals_and_their_relocks_are_seen() {
    undisturbed(|times| {
        let bench = Bench::new();
        let program = bench.c("known_conditions", &[]);
        let (answers, profile) = bench.answers(&[], &[&program]);

        let known = answers.numbers("handed");
        let handed = lock(&profile, "handed");
        assert_eq!(
            (&handed["kind"], &handed["used_as"]),
            (&"condvar".into(), &"signal".into())
        );
        assert_eq!(
            (
                number(handed, "/contended"),
                number(handed, "/wait_ns/total")
            ),
            (0.0, 0.0)
        );
        assert_eq!(number(handed, "/signal/waits"), known[0]);
        assert_eq!(
            (
                number(handed, "/signal/signals"),
                number(handed, "/signal/broadcasts")
            ),
            (known[1], 0.0)
        );
        times.between(
            "handed",
            number(handed, "/signal/wait_ns/total"),
            known[2],
            known[2],
        );
        // From the signal to the return: 2 ms each time in which the producer still has the mutex.
        times.between(
            "relock",
            number(handed, "/signal/relock_ns"),
            known[3],
            known[3],
        );
        let mutex = lock(&profile, "mutex");
        let relock_wait_ns = number(mutex, "/wait_ns/total");
        times.check(
            relock_wait_ns > 0.9 * known[4] && relock_wait_ns < 1.02 * known[3],
            || format!("{relock_wait_ns} of {known:?}: what was held, not the wait for the signal"),
        );

        let known = answers.numbers("announced");
        let announced = lock(&profile, "announced");
        assert_eq!(number(announced, "/signal/waits"), known[0]);
        assert_eq!(
            (
                number(announced, "/signal/signals"),
                number(announced, "/signal/broadcasts")
            ),
            (0.0, known[1])
        );
        times.between(
            "announced",
            number(announced, "/signal/wait_ns/total"),
            known[2],
            known[2],
        );

        let known = answers.numbers("late");
        let late = lock(&profile, "late");
        assert_eq!(number(late, "/signal/waits"), known[0]);
        times.between(
            "late",
            number(late, "/signal/wait_ns/total"),
            known[1],
            known[1],
        );
    });
}
