//! Reader-writer locks, spin locks, semaphores, barriers, C11's mutexes and futex words.

use std::collections::BTreeSet;

use locktoll_recording::layout::{EntryPoint, LockKind};
use locktoll_recording::reader::Part;

use crate::answers::{Answers, undisturbed};
use crate::names::Names;
use crate::sums::Sum;
use crate::support::{Recorded, compare, counts_in, program, run_recorded};

/// A recorded run of a program with known answers.
struct Run {
    recorded: Recorded,
    names: Names,
    answers: Answers,
}

impl Run {
    fn of(name: &str) -> Self {
        let program = program(name);
        let recorded = run_recorded(&program, &[]);
        assert!(recorded.output.status.success());
        Self {
            answers: Answers::of(&recorded.output.stdout),
            names: Names::of(&program),
            recorded,
        }
    }

    fn part(&self) -> &Part {
        self.recorded.only_part()
    }

    fn sum(&self, name: &str, kind: LockKind, entry: EntryPoint) -> Sum {
        Sum::of(self.part(), &self.names, name, kind, entry)
    }

    /// How long it was held, as estimated from the holds that were timed.
    fn held_ns(&self, name: &str) -> f64 {
        let of_lock = self
            .part()
            .holds
            .iter()
            .filter(|hold| self.names.symbol(self.part(), hold.key.lock_address) == Some(name));
        of_lock.map(|hold| hold.estimated_total_ns as f64).sum()
    }

    /// The functions that waiting for it was charged to.
    fn blamed(&self, name: &str) -> BTreeSet<&str> {
        let part = self.part();
        let of_lock = part
            .blames
            .iter()
            .filter(|blame| self.names.symbol(part, blame.key.lock_address) == Some(name));
        of_lock
            .filter_map(|blame| self.names.function(part, blame.holder_site))
            .collect()
    }
}

#[test]
fn readers_and_writers_are_told_apart_and_wait_for_each_other() {
    undisturbed(|times| {
        let run = Run::of("other_locks.c");
        let of = |name, entry| run.sum(name, LockKind::RwLock, entry);
        let reads = of("read_only", EntryPoint::ReadLock);
        assert_eq!((reads.calls, reads.contended), (200.0, 0.0));

        let (reads, writes) = (
            of("written", EntryPoint::ReadLock),
            of("written", EntryPoint::Lock),
        );
        assert_eq!((reads.calls, reads.contended), (10.0, 5.0));
        assert_eq!((writes.calls, writes.contended), (10.0, 5.0));
        let (read_ns, write_ns) = (
            run.answers.number("read_wait"),
            run.answers.number("write_wait"),
        );
        times.between("reading", reads.wait_ns, read_ns, read_ns);
        times.between("writing", writes.wait_ns, write_ns, write_ns);
        assert_eq!(
            run.blamed("written"),
            BTreeSet::from(["read_while_written"])
        );
        // Ten holds of 5 ms, and what is held in between by those who waited.
        assert!(run.held_ns("written") >= 50e6);
    });
}

#[test]
fn spin_locks_are_waited_for_and_held() {
    undisturbed(|times| {
        let run = Run::of("other_locks.c");
        let of = |name| run.sum(name, LockKind::Spin, EntryPoint::Lock);
        assert_eq!(of("spun").calls, 4000.0);
        let waits = of("held_spun");
        assert_eq!((waits.calls, waits.contended), (10.0, 5.0));
        let wait_ns = run.answers.number("spin_wait");
        times.between("spinning", waits.wait_ns, wait_ns, wait_ns);
        assert!(run.held_ns("held_spun") >= 10e6);
        assert_eq!(run.blamed("held_spun"), BTreeSet::from(["spin_for_holder"]));
    });
}

#[test]
fn a_semaphore_shows_who_gives_back_what_he_took() {
    let run = Run::of("other_locks.c");
    let of = |name, entry| run.sum(name, LockKind::Semaphore, entry);
    assert_eq!(of("as_lock", EntryPoint::Lock).calls, 400.0);
    assert_eq!(of("as_lock", EntryPoint::Release).calls, 400.0);
    assert_eq!(of("as_lock", EntryPoint::Post).calls, 0.0);
    // A tenth of the holds lasts 0.1 ms.
    assert!(run.held_ns("as_lock") >= 40.0 * 100e3);
    assert!(run.blamed("as_lock").contains("exclude"));

    let waits = of("as_signal", EntryPoint::Lock);
    assert_eq!(waits.calls, 20.0);
    assert_eq!(of("as_signal", EntryPoint::Release).calls, 0.0);
    assert_eq!(of("as_signal", EntryPoint::Post).calls, 20.0);
    // The thread that only ever waits for it has waited for a signal.
    let part = run.part();
    let is_waiter = |thread: &&locktoll_recording::reader::Thread| {
        thread.signal_wait_ns as f64 >= 0.9 * waits.wait_ns && thread.lock_wait_ns == 0
    };
    assert!(part.threads.iter().any(|thread| is_waiter(&thread)));
}

#[test]
fn all_but_the_last_wait_at_a_barrier() {
    let run = Run::of("other_locks.c");
    let waits = run.sum("met", LockKind::Barrier, EntryPoint::Wait);
    assert_eq!((waits.calls, waits.contended), (60.0, 40.0));
    assert!(run.blamed("met").is_empty());
}

#[test]
fn a_mutex_of_c11_is_a_mutex() {
    let run = Run::of("other_locks.c");
    let taken = run.sum("c11", LockKind::Mutex, EntryPoint::Lock);
    assert_eq!(taken.calls, 2010.0);
    assert!(taken.contended >= 5.0);
    assert!(taken.wait_ns >= 0.98 * run.answers.number("c11_wait"));
    assert!(run.blamed("c11").contains("wait_for_c11"));
}

#[test]
fn attempts_that_fail_and_deadlines_that_pass_are_counted() {
    undisturbed(|times| {
        let run = Run::of("tries.c");
        for (name, kind) in [
            ("mutex", LockKind::Mutex),
            ("rwlock", LockKind::RwLock),
            ("spinlock", LockKind::Spin),
            ("semaphore", LockKind::Semaphore),
            ("c11", LockKind::Mutex),
        ] {
            let of = |entry| run.sum(name, kind, entry);
            assert_eq!(of(EntryPoint::Lock).calls, 1.0, "{name}");
            let tried = of(EntryPoint::TryLock);
            assert_eq!((tried.calls, tried.try_failed), (0.0, 10.0), "{name}");
            if kind == LockKind::RwLock {
                assert_eq!(of(EntryPoint::TryReadLock).try_failed, 10.0);
            }
            if kind != LockKind::Spin {
                let timed = of(EntryPoint::TimedLock);
                assert_eq!((timed.calls, timed.contended), (0.0, 0.0), "{name}");
                assert_eq!(timed.timed_out, 3.0, "{name}");
                let wait_ns = run.answers.number(name);
                times.between(name, timed.wait_ns, wait_ns, wait_ns);
            }
        }
    });
}

#[test]
fn waits_at_futex_words_are_told_by_how_they_ended() {
    let recorded = compare(&program("return_codes_futex.c"), &[]);
    let parts = recorded.recordings.iter().flat_map(|it| &it.parts);
    let part = parts.max_by_key(|part| part.counts.len()).unwrap();
    let futexes: Vec<_> = counts_in(part, "return_codes_futex_c")
        .into_iter()
        .filter(|count| count.kind == LockKind::Futex)
        .collect();
    assert!(futexes.iter().all(|count| count.lock_address != 0));
    let output = String::from_utf8_lossy(&recorded.output.stdout).into_owned();
    // As the program printed them: those that returned 0, found another value, or ran into their deadline.
    let printed = |is_meant: &dyn Fn(&str) -> bool| {
        let waits = output.lines().filter(|line| {
            ["FUTEX_WAIT", "FUTEX_LOCK_PI", "futex_wait"]
                .iter()
                .any(|name| line.contains(name))
        });
        waits.filter(|line| is_meant(line)).count() as u64
    };
    let woken = printed(&|line| line.ends_with(" 0 errno 77"));
    let changed = printed(&|line| line.ends_with(" -1 errno 11"));
    let timed_out = printed(&|line| line.ends_with(" -1 errno 110"));
    let sum = |of: &dyn Fn(&locktoll_recording::reader::Count) -> u64| -> u64 {
        let is_wait = |entry| matches!(entry, EntryPoint::Wait | EntryPoint::EventWait);
        let waits = futexes.iter().filter(|it| is_wait(it.entry));
        waits.map(|count| of(count)).sum()
    };
    let contention = |of: fn(&locktoll_recording::reader::Contention) -> u64| {
        sum(&|count| count.contention.as_deref().map_or(0, of))
    };
    assert!(woken > 0 && changed > 0 && timed_out > 0, "{output}");
    // By the value that was waited for: some are those of locks, others are not.
    for entry in [EntryPoint::Wait, EntryPoint::EventWait] {
        assert!(futexes.iter().any(|it| it.entry == entry), "{entry:?}");
    }
    assert_eq!(contention(|it| it.contended), woken, "{output}");
    assert_eq!(contention(|it| it.timed_out), timed_out, "{output}");
    assert_eq!(
        sum(&|count| count.acquisitions),
        woken + changed + timed_out,
        "{output}"
    );
    let wakes = |entry| futexes.iter().filter(|it| it.entry == entry).count();
    assert!(wakes(EntryPoint::Signal) > 0 && wakes(EntryPoint::Broadcast) > 0);
}

#[test]
fn names_of_old_libraries_are_seen_like_those_of_today() {
    let program = program("old_names.c");
    let recorded = compare(&program, &[]);
    let names = Names::of(&program);
    let of = |name, kind, entries: &[EntryPoint]| -> f64 {
        let sums = entries
            .iter()
            .map(|&entry| Sum::of(recorded.only_part(), &names, name, kind, entry).calls);
        sums.sum()
    };
    // Twice three acquisitions that succeed, of which the program makes two by old names; and five, three of them so.
    let mutex = of(
        "mutex",
        LockKind::Mutex,
        &[EntryPoint::Lock, EntryPoint::TryLock],
    );
    assert_eq!(mutex, 6.0);
    let entries = [
        EntryPoint::ReadLock,
        EntryPoint::TryReadLock,
        EntryPoint::Lock,
        EntryPoint::TryLock,
    ];
    assert_eq!(of("rwlock", LockKind::RwLock, &entries), 5.0);
}
