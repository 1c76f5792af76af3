//! Futex calls of every kind, compared with the program's own counts of their results.

use super::subject::{Said, Subject};
use crate::futexes::call::Call;
use crate::futexes::gathered::{Gathered, Wait, Wake};

/// How much the program's clock and ours may differ: the program reads its clock before and after the call, and on a busy machine
/// something else may run in between.
const SLACK_NS: u64 = 3_000_000;

fn waits(gathered: &Gathered, word: u64) -> impl Iterator<Item = &Wait> {
    gathered.waits.iter().filter(move |wait| wait.word == word)
}

fn wakes(gathered: &Gathered, word: u64) -> impl Iterator<Item = &Wake> {
    gathered.wakes.iter().filter(move |wake| wake.word == word)
}

fn sum<'a, T: 'a>(of: impl Iterator<Item = &'a T>, figure: impl Fn(&T) -> u64) -> u64 {
    of.map(figure).sum()
}

fn find<'a>(said: &'a [Said], name: &str) -> Option<&'a Said> {
    said.iter()
        .find(|line| line.word(0) == "word" && line.word(1) == name)
}

#[test]
fn every_call_is_counted_by_how_it_ended_and_waits_take_as_long_as_the_program_says() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    let said = subject.work();
    let gathered = watch.gathered().expect("maps");

    for line in said.iter().filter(|line| line.word(0) == "word") {
        let (name, word) = (line.word(1), line.address(2));
        // Calls that had begun before are covered by a test of their own. Calls that waited on several words are listed under one
        // of them.
        if name.starts_with("before") {
            continue;
        }
        let counted = |figure: fn(&Wait) -> u64| sum(waits(&gathered, word), figure);
        assert_eq!(
            counted(|wait| wait.woken),
            line.number("woken"),
            "{name} woken"
        );
        assert_eq!(
            counted(|wait| wait.again),
            line.number("again"),
            "{name} again"
        );
        assert_eq!(
            counted(|wait| wait.timed_out),
            line.number("timed_out"),
            "{name} timed out"
        );
        assert_eq!(
            counted(|wait| wait.interrupted),
            line.number("interrupted"),
            "{name} interrupted"
        );
        assert_eq!(
            counted(|wait| wait.failed),
            line.number("failed"),
            "{name} failed"
        );
        let (ours, theirs) = (counted(|wait| wait.total_ns), line.number("wait_ns"));
        assert!(
            ours <= theirs,
            "{name}: {ours} ns of waiting, where the program itself saw {theirs}"
        );
        let calls = line.number("woken") + line.number("interrupted") + line.number("timed_out");
        assert!(
            ours + theirs / 50 + calls * SLACK_NS >= theirs,
            "{name}: {ours} ns of waiting, where the program itself saw {theirs}"
        );
        let in_histogram = counted(|wait| wait.log2.iter().sum());
        let began = counted(|wait| {
            wait.woken - wait.at_once + wait.timed_out + wait.interrupted + wait.failed
        });
        assert_eq!(in_histogram, began, "{name}: in the histogram");
        let woke = |figure: fn(&Wake) -> u64| sum(wakes(&gathered, word), figure);
        if !name.starts_with("pi") && !name.starts_with("requeue") {
            assert_eq!(
                woke(|wake| wake.calls),
                line.number("wakes"),
                "{name} wakes"
            );
            assert_eq!(
                woke(|wake| wake.empty),
                line.number("empty"),
                "{name} empty wakes"
            );
        }
        assert_eq!(
            sum(
                wakes(&gathered, word).filter(|wake| wake.call == Call::Wake),
                |wake| wake.woken
            ),
            line.number("woke"),
            "{name} woke"
        );
    }
    assert_eq!(gathered.dropped, Default::default());
}

#[test]
fn a_wait_that_a_signal_interrupts_and_the_kernel_takes_up_again_is_one() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    let said = subject.work();
    let gathered = watch.gathered().expect("maps");
    for (name, times) in [("restarting", 3), ("stopped", 2)] {
        let word = find(&said, name).expect(name).address(2);
        let all: Vec<&Wait> = waits(&gathered, word).collect();
        let calls = sum(all.iter().copied(), |wait| wait.woken + wait.timed_out);
        let restarted = sum(all.iter().copied(), |wait| wait.restarted);
        assert_eq!((calls, restarted), (1, times), "{name}: {all:#?}");
    }
}

#[test]
fn waiters_that_are_moved_end_on_the_second_word() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    let said = subject.work();
    let gathered = watch.gathered().expect("maps");
    for line in said.iter().filter(|line| line.word(0) == "moved") {
        let (from, to, count) = (line.address(1), line.address(2), line.number("count"));
        let ended = sum(
            waits(&gathered, from).filter(|wait| wait.ended_on == to),
            |wait| wait.woken,
        );
        assert_eq!(ended, count);
        let moved =
            wakes(&gathered, from).filter(|wake| wake.call == Call::Requeue && wake.second == to);
        assert_eq!(sum(moved, |wake| wake.moved), count);
        let between = gathered
            .moved
            .iter()
            .find(|moved| moved.from == from && moved.to == to)
            .expect("moved");
        assert_eq!(between.count, count);
        // Each thread was moved after 20 ms or more, and woken after 30 more.
        assert!(between.before_ns >= count * 19_000_000, "{between:?}");
        assert!(between.after_ns >= count * 29_000_000, "{between:?}");
    }
}

#[test]
fn a_lock_with_inheritance_names_its_owner_and_a_failed_try_is_one() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    let said = subject.work();
    let gathered = watch.gathered().expect("maps");
    let word = find(&said, "pi").expect("pi").address(2);
    let owners: Vec<_> = gathered
        .owners
        .iter()
        .filter(|owner| owner.word == word)
        .collect();
    // Five times, the first thread sleeps for 10 ms while another one waits. How long that one then takes to return depends on the machine.
    let first = owners.iter().find(|it| it.thread == subject.pid());
    let first = first.expect("the first thread");
    assert_eq!(first.count, 5);
    assert!(first.wait_ns >= 50_000_000, "{owners:?}");
    let tried = wakes(&gathered, word).filter(|wake| wake.call == Call::TrylockPi);
    assert_eq!(sum(tried, |wake| wake.failed), 5);
    let unlocked = wakes(&gathered, word).filter(|wake| wake.call == Call::UnlockPi);
    assert_eq!(sum(unlocked, |wake| wake.woken), 5);
}

#[test]
fn of_several_words_the_wait_belongs_to_the_one_that_ended_it() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    let said = subject.work();
    let Some(woken) = find(&said, "waitv_woken") else {
        locktoll_needs::refused("this kernel has no futex_wake(2)");
        return;
    };
    let gathered = watch.gathered().expect("maps");
    let several: Vec<&Wait> = gathered
        .waits
        .iter()
        .filter(|wait| wait.call == Call::WaitV)
        .collect();
    assert_eq!(several.len(), 1, "{several:#?}");
    assert_eq!((several[0].word, several[0].woken), (woken.address(2), 1));
    assert!(several[0].waker_stack != 0);
}
