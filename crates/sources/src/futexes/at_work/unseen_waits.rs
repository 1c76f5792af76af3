//! Waits that did not begin and end during the watch are counted separately. Also the kinds of threads and joins.

use super::subject::Subject;
use crate::futexes::gathered::{Gathered, Waiting};
use crate::futexes::{Capacity, Watch};

/// The actions of a program whose calls are known, by the names that it gives its words.
struct Known {
    gathered: Gathered,
    words: Vec<(String, u64)>,
}

impl Known {
    fn of(subject: &mut Subject, watch: &mut Watch) -> Self {
        let said = subject.work();
        let words = said.iter().filter(|line| line.word(0) == "word");
        Self {
            gathered: watch.gathered().expect("maps"),
            words: words
                .map(|line| (line.word(1).to_owned(), line.address(2)))
                .collect(),
        }
    }

    fn word(&self, name: &str) -> u64 {
        let found = self.words.iter().find(|(own, _)| own == name);
        found.expect(name).1
    }

    fn has_ended(&self, name: &str) -> bool {
        let word = self.word(name);
        self.gathered.waits.iter().any(|wait| wait.word == word)
    }

    fn goes_on(&self, name: &str) -> &Waiting {
        let word = self.word(name);
        let waiting = self.gathered.waiting.iter();
        let found: Vec<_> = waiting.filter(|it| it.word == word).collect();
        assert_eq!(found.len(), 1, "{name}: {:?}", self.gathered.waiting);
        found[0]
    }
}

#[test]
fn waits_that_began_before_us_count_since_we_came() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    let known = Known::of(&mut subject, &mut watch);
    let gathered = &known.gathered;
    // The thread that reads our line had not begun a futex wait; two threads had.
    assert_eq!((gathered.since_we_came, gathered.begun_before), (2, 0));
    assert!(known.has_ended("before_ended"));
    for name in ["before_open", "still"] {
        assert!(!known.has_ended(name), "{name}");
        let waiting = known.goes_on(name);
        assert!(waiting.wait_ns.is_some(), "{waiting:?}");
        assert!(gathered.stacks.contains_key(&waiting.stack), "{waiting:?}");
    }
    assert!(known.goes_on("before_open").wait_ns > known.goes_on("still").wait_ns);
    assert_eq!(gathered.waiting.len(), 2, "{:?}", gathered.waiting);
}

/// As on kernels before Linux 5.19.
#[test]
fn without_programs_that_go_through_threads_such_waits_are_counted_apart() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(mut watch) = subject.watch_without_a_look() else {
        return;
    };
    let known = Known::of(&mut subject, &mut watch);
    let gathered = &known.gathered;
    assert_eq!((gathered.since_we_came, gathered.begun_before), (0, 1));
    for name in ["before_ended", "before_open", "still"] {
        assert!(!known.has_ended(name), "{name}");
    }
    assert_eq!(known.goes_on("before_open").wait_ns, None);
    assert!(known.goes_on("still").wait_ns.is_some());
    assert_eq!(gathered.waiting.len(), 2, "{:?}", gathered.waiting);
}

#[test]
fn joining_a_thread_is_known_for_what_it_is() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
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
    // The words that are not the program's own belong to threads that it joined, where it came before their end.
    for word in joins {
        let waited = gathered.waits.iter().filter(|wait| wait.word == word.word);
        let woken: u64 = waited.map(|wait| wait.woken).sum();
        assert_eq!(word.joined, woken, "{word:?}");
    }
}

#[test]
fn threads_are_counted_by_their_lives() {
    let mut subject = Subject::start("futex_calls.c", &[]);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    subject.work();
    let gathered = watch.gathered().expect("maps");
    let lives = gathered.lives;
    // All but the first thread and the two that sleep when we come, one of which ends.
    let alive = gathered
        .threads
        .iter()
        .filter(|thread| thread.ended.is_none())
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
    let Some(mut watch) = subject.watch_with(room) else {
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
