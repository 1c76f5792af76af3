//! Programs that use Tollgate or the locks of locktoll-locks. This program is one.

use std::time::{Duration, Instant};

use locktoll_locks::{Futex3, RawLock};
use serde_json::Value;
use tollgate::RawMutex;

use crate::bench::{Bench, text};
use crate::program::{look, may_trace};

/// Longer than two threads take to fall asleep on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The notes of all locks, once both sentences are among them.
fn notes(bench: &Bench, wanted: &[&str]) -> Vec<String> {
    let began = Instant::now();
    loop {
        let output = look(bench, std::process::id());
        let document: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
        let locks = document["locks"].as_array().unwrap().iter();
        let notes: Vec<String> = locks
            .filter_map(|it| it["note"].as_str().map(str::to_owned))
            .collect();
        let is_there = |it: &&str| notes.iter().any(|note| note.contains(it));
        if wanted.iter().all(is_there) || began.elapsed() > PATIENCE {
            return notes;
        }
    }
}

#[test]
fn their_report_says_why_the_holder_is_not_known() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let (of_tollgate, of_locks) = (RawMutex::new(), Futex3::new());
    of_tollgate.lock();
    of_locks.lock();
    let wanted = [
        "Tollgate's mutex stores a mark of its holder, which is not a thread id",
        "the locks of locktoll-locks do not store it",
    ];
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            of_tollgate.lock();
            // SAFETY: held.
            unsafe { of_tollgate.unlock() };
        });
        scope.spawn(|| {
            of_locks.lock();
            // SAFETY: held.
            unsafe { of_locks.unlock() };
        });
        let found = std::panic::catch_unwind(|| notes(&bench, &wanted));
        // SAFETY: held since the beginning of the test.
        unsafe { of_tollgate.unlock() };
        // SAFETY: as above.
        unsafe { of_locks.unlock() };
        found
    });
    let found = found.unwrap();
    for sentence in wanted {
        assert!(found.iter().any(|it| it.contains(sentence)), "{found:#?}");
    }
}
