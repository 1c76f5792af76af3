use super::made::Made;
use super::of_kind;
use locktoll_results::profile::timeline::FindingKind;

const MS: u64 = 1_000_000;

/// A thread holds lock `a` for 20 ms, and others wait for it.
fn held() -> Made {
    let mut made = Made::default();
    made.hold(0, 0, [0, 20 * MS]);
    made.wait(1, 0, [5 * MS, 20 * MS], Some(0));
    made.wait(2, 0, [8 * MS, 20 * MS], Some(0));
    made
}

#[test]
fn a_holder_that_other_threads_keep_from_a_cpu_is_reported() {
    let mut made = held();
    made.off(0, [6 * MS, 10 * MS], true);
    made.off(0, [12 * MS, 14 * MS], true);
    let found = of_kind(&made.timeline(), FindingKind::PriorityInversion);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].sentence,
        "Priority inversion: worker 100 held a and was without a CPU for 4.00 ms, since other threads ran; in the meantime, 2 threads waited \
         6.00 ms for the lock. Holders of this lock were preempted 2 times, with 10.0 ms of waiting."
    );
    assert_eq!(found[0].threads, [0, 1, 2]);
    assert_eq!((found[0].begin_ns, found[0].end_ns), (6 * MS, 10 * MS));
}

#[test]
fn a_holder_that_sleeps_and_a_thread_that_holds_nothing_are_not() {
    let mut made = held();
    made.off(0, [6 * MS, 10 * MS], false);
    made.off(3, [6 * MS, 10 * MS], true);
    // Before any thread waits.
    made.off(0, [MS, 4 * MS], true);
    assert_eq!(
        of_kind(&made.timeline(), FindingKind::PriorityInversion),
        []
    );
}

/// Without the kernel's account of CPUs, nothing is known about them.
#[test]
fn without_switches_nothing_is_said() {
    assert_eq!(
        of_kind(&held().timeline(), FindingKind::PriorityInversion),
        []
    );
}
