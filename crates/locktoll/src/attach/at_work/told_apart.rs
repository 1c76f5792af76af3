//! What is no wait that began and ended under our eyes: kept apart. And what threads and joins are.

use super::subject::Subject;
use crate::attach::Capacity;

#[test]
fn waits_that_began_before_us_or_never_end_are_counted_apart() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(watch) = subject.watch() else { return };
    let said = subject.work();
    let gathered = watch.gathered().expect("maps");
    let word = |name: &str| {
        let line = said
            .iter()
            .find(|line| line.word(0) == "word" && line.word(1) == name);
        line.expect(name).address(2)
    };
    // The thread that reads our line began no futex wait; two threads had.
    assert_eq!(gathered.begun_before, 1);
    for name in ["before_ended", "before_open", "still"] {
        assert!(
            gathered.waits.iter().all(|wait| wait.word != word(name)),
            "{name}"
        );
    }
    let waiting = |name: &str| {
        let found: Vec<_> = gathered
            .waiting
            .iter()
            .filter(|it| it.word == word(name))
            .collect();
        assert_eq!(found.len(), 1, "{name}: {:?}", gathered.waiting);
        found[0].wait_ns
    };
    assert_eq!(waiting("before_open"), None);
    assert!(waiting("still").is_some());
    assert_eq!(gathered.waiting.len(), 2, "{:?}", gathered.waiting);
}

#[test]
fn joining_a_thread_is_known_for_what_it_is() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(watch) = subject.watch() else { return };
    let said = subject.work();
    let gathered = watch.gathered().expect("maps");
    let own: Vec<u64> = said
        .iter()
        .filter(|line| line.word(0) == "word")
        .map(|line| line.address(2))
        .collect();
    let (own, joins): (Vec<_>, Vec<_>) = gathered
        .words
        .iter()
        .partition(|word| own.contains(&word.word));
    assert!(own.iter().all(|word| word.joined == 0), "{own:?}");
    // Words that are none of the program's own are those of threads that it joined, where it came before their end.
    for word in joins {
        let waited = gathered.waits.iter().filter(|wait| wait.word == word.word);
        let woken: u64 = waited.map(|wait| wait.woken).sum();
        assert_eq!(word.joined, woken, "{word:?}");
    }
}

#[test]
fn threads_are_counted_by_their_lives() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(watch) = subject.watch() else { return };
    subject.work();
    let gathered = watch.gathered().expect("maps");
    let lives = gathered.lives;
    // All but the first thread and the two that sleep when we come, of which one ends.
    let alive = gathered
        .threads
        .iter()
        .filter(|thread| !thread.ended)
        .count() as u64;
    assert_eq!(
        alive,
        3 + lives.threads_started - lives.threads_ended,
        "{lives:?}"
    );
    assert_eq!(
        (
            lives.processes_started,
            lives.processes_ended,
            lives.programs_replaced
        ),
        (1, 0, 0)
    );
    let first = gathered
        .threads
        .iter()
        .find(|thread| thread.thread == subject.pid());
    assert_eq!(first.expect("the first thread").name, "program");
    let waited: u64 = gathered.threads.iter().map(|thread| thread.wait_ns).sum();
    let listed: u64 = gathered.waits.iter().map(|wait| wait.total_ns).sum();
    assert_eq!(waited, listed);
}

#[test]
fn what_finds_no_room_is_counted() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let room = Capacity {
        entries: 4,
        rules: 1 << 20,
    };
    let Some(watch) = subject.watch_with(room) else {
        return;
    };
    subject.work();
    let gathered = watch.gathered().expect("maps");
    assert!(gathered.waits.len() <= 4 && gathered.wakes.len() <= 4 && gathered.words.len() <= 4);
    let dropped = gathered.dropped;
    assert!(
        dropped.waits > 0 && dropped.wakes > 0 && dropped.words > 0 && dropped.ended > 0,
        "{dropped:?}"
    );
}
