//! Holders that are preempted while others wait, compared with a program that detects gaps in its own run time.

use super::subject::Subject;

#[test]
fn a_holder_that_detects_its_own_gaps_agrees() {
    let mut subject = Subject::start("preempted_holder.c", &[]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    let said = subject.work();
    let gathered = watch.gathered().expect("maps");
    let (word, gaps, gap_ns) = (
        said[0].address(1),
        said[0].number("gaps"),
        said[0].number("gap_ns"),
    );
    assert!(gaps > 0, "nothing to be seen: {said:?}");

    let preemptions: Vec<_> = gathered
        .preemptions
        .iter()
        .filter(|it| it.word == word)
        .collect();
    assert_eq!(preemptions.len(), 1, "{preemptions:?}");
    let ours = preemptions[0];
    assert_eq!(ours.log2.iter().sum::<u64>(), ours.count);
    // We do not count gaps before anybody waited, and the program does not count the short ones. We cannot see the time that a
    // hypervisor takes away from this machine. The test must hold on a busy machine, so it does not check for that.
    let agrees = |ours: u64, theirs: u64| ours * 2 >= theirs && ours * 10 <= theirs * 12;
    assert!(
        agrees(ours.total_ns, gap_ns),
        "{ours:?} where the program saw {gaps} gaps of {gap_ns} ns"
    );

    let owners: Vec<_> = gathered
        .owners
        .iter()
        .filter(|it| it.word == word)
        .collect();
    // All waiting is charged to somebody, and waiting while the holder was preempted is charged to the holder.
    let charged_ns: u64 = owners.iter().map(|it| it.wait_ns).sum();
    let waits = gathered.waits.iter().filter(|wait| wait.word == word);
    let waited_ns: u64 = waits.map(|wait| wait.total_ns).sum();
    assert!(
        charged_ns.abs_diff(waited_ns) * 50 <= waited_ns,
        "{waited_ns} ns: {owners:?}"
    );
    let holder = owners.iter().find(|it| it.thread == subject.pid());
    let holder = holder.expect("the holder is known");
    assert!(
        ours.waited_ns > 0 && ours.waited_ns <= holder.wait_ns,
        "{ours:?}, {holder:?}"
    );
}
