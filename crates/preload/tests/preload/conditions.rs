//! Waiting for a signal is not contention; what comes after the signal may be.

use locktoll_recording::layout::{EntryPoint, LockKind};

use crate::answers::{Answers, undisturbed};
use crate::names::Names;
use crate::sums::Sum;
use crate::support::{program, run_recorded};

#[test]
fn waits_for_a_condition_are_told_from_waits_for_its_mutex() {
    undisturbed(|times| {
        let program = program("known_conditions.c");
        let recorded = run_recorded(&program, &[]);
        let answers = Answers::of(&recorded.output.stdout);
        let (names, part) = (Names::of(&program), recorded.only_part());
        let of = |name, kind, entry| Sum::of(part, &names, name, kind, entry);

        let known = answers.numbers("handed");
        let waits = of("handed", LockKind::Condvar, EntryPoint::Wait);
        assert_eq!(waits.calls, known[0]);
        times.between("handed", waits.wait_ns, known[2], known[2]);
        // From the signal to the return: 2 ms each time in which the producer still has the mutex.
        times.between("relock", waits.relock_ns, known[3], known[3]);
        assert_eq!(
            of("handed", LockKind::Condvar, EntryPoint::Signal).calls,
            known[1]
        );
        assert_eq!(
            of("handed", LockKind::Condvar, EntryPoint::Broadcast).calls,
            0.0
        );
        // Of that, contention for the mutex is what passed while the producer had it, and nothing of what came before.
        let relocks = of("mutex", LockKind::Mutex, EntryPoint::ConditionWait);
        times.check(
            relocks.wait_ns > 0.9 * known[4] && relocks.wait_ns < 1.02 * known[3],
            || format!("{relocks:?} {known:?}"),
        );

        let known = answers.numbers("announced");
        let waits = of("announced", LockKind::Condvar, EntryPoint::Wait);
        assert_eq!(waits.calls, known[0]);
        times.between("announced", waits.wait_ns, known[2], known[2]);
        assert_eq!(
            of("announced", LockKind::Condvar, EntryPoint::Signal).calls,
            0.0
        );
        assert_eq!(
            of("announced", LockKind::Condvar, EntryPoint::Broadcast).calls,
            known[1]
        );

        let known = answers.numbers("late");
        let waits = of("late", LockKind::Condvar, EntryPoint::Wait);
        assert_eq!((waits.calls, waits.timed_out), (known[0], known[0]));
        times.between("late", waits.wait_ns, known[1], known[1]);
    });
}
