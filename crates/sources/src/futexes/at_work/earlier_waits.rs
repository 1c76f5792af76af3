//! Waits of every kind that began before watching and ended during it. If calls are seen at the ends of the kernel's functions,
//! these calls are not seen there.

use super::subject::Subject;
use crate::futexes::gathered::Wait;
use crate::futexes::returns::Method;

/// How long the wait with a deadline takes, in seconds. Watching must have begun by then, which takes longer on an emulated
/// machine.
fn deadline_s() -> &'static str {
    match std::env::var_os("LOCKTOLL_TEST_FUNCTIONS") {
        Some(_) => "30",
        None => "5",
    }
}

#[test]
fn each_ends_once_and_as_it_did() {
    let mut subject = Subject::start("earlier_waits.c", &[deadline_s()]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    let is_at_functions = watch.method() == Method::Functions;
    assert_eq!(watch.sees_earlier(), is_at_functions);
    let words = subject.work();
    let gathered = watch.gathered().expect("maps");
    assert_eq!((gathered.since_we_came, gathered.begun_before), (6, 0));
    for said in &words {
        let (name, word) = (said.word(1), said.address(2));
        let of_it: Vec<&Wait> = gathered.waits.iter().filter(|it| it.word == word).collect();
        let sum = |figure: fn(&Wait) -> u64| of_it.iter().map(|wait| figure(wait)).sum::<u64>();
        let expected = match name {
            "deadline" => (0, 1, 0),
            "interrupted" => (0, 0, 1),
            _ => (1, 0, 0),
        };
        let found = (
            sum(|it| it.woken),
            sum(|it| it.timed_out),
            sum(|it| it.interrupted),
        );
        assert_eq!(found, expected, "{name}: {of_it:?}");
        assert_eq!(sum(|it| it.again + it.failed + it.at_once), 0, "{name}");
        assert!(sum(|it| it.total_ns) > 0, "{name}");
    }
    // No such wait is left, so the tracepoint of all system calls is given up.
    watch.refresh().expect("maps");
    assert!(!watch.sees_earlier());
}

/// Programs at the ends of functions are used where the kernel is known to have them: `.ci/kernel` sets the variable.
#[test]
fn functions_are_used_where_the_kernel_has_them() {
    if std::env::var_os("LOCKTOLL_TEST_FUNCTIONS").is_none() {
        return;
    }
    let subject = Subject::start("earlier_waits.c", &["60"]);
    let watch = subject.watch().expect("the kernel runs our programs");
    assert_eq!(watch.method(), Method::Functions);
}
