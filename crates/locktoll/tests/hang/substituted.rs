//! Programs that hang under `locktoll try` and `locktoll whatif`.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::{Bench, text};
use crate::program::{may_trace, numbers, program, until};

/// Longer than `try` takes on a busy machine until it runs the program with the lock.
const PATIENCE: Duration = Duration::from_secs(120);

/// `locktoll try` or `whatif`, whose program hangs.
struct Tried(Child);

impl Tried {
    /// Runs `hung_ring.c` in a mode with three threads, under this lock. Returns its process id too.
    fn start(bench: &Bench, mode: &str, lock: &str) -> (Self, u32) {
        Self::start_with(bench, mode, lock, &["try", "--lock", lock])
    }

    /// The same with these words, which lead to a run under this lock.
    fn start_with(bench: &Bench, mode: &str, lock: &str, words: &[&str]) -> (Self, u32) {
        let ready = bench.path(format!("{mode}-{lock}"));
        let mut command = bench.locktoll();
        command
            .args(words)
            .args(["--rounds", "1", "--timeout", "10min", "--"])
            .arg(program(bench))
            .args([mode, "3"])
            .env("HANG_UNDER", lock)
            .env("HANG_FILE", &ready)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let tried = Self(command.spawn().unwrap());
        let began = Instant::now();
        loop {
            let line = std::fs::read_to_string(&ready).unwrap_or_default();
            if let Some(pid) = line
                .strip_prefix("ready ")
                .and_then(|it| it.strip_suffix('\n'))
            {
                return (tried, pid.parse().unwrap());
            }
            assert!(began.elapsed() < PATIENCE, "{mode} under {lock}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Tried {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Looks at the program once all of its threads wait.
fn look(mode: &str, lock: &str, waits_for: &str) -> (Option<i32>, Value) {
    let bench = Bench::new();
    let (_tried, pid) = Tried::start(&bench, mode, lock);
    let (output, document) = until(&bench, pid, waits_for, 3);
    (output.status.code(), document)
}

#[test]
fn locks_of_try_that_store_their_holder_close_the_ring() {
    if !may_trace() || cfg!(not(target_arch = "x86_64")) {
        return;
    }
    for (mode, lock, waits_for) in [
        ("recursive", "tollgate", "mutex"),
        ("checked", "futex3", "mutex"),
        ("rwlock", "futex3", "rwlock"),
    ] {
        let (code, document) = look(mode, lock, waits_for);
        assert_eq!(code, Some(1), "{mode} under {lock}: {document:#}");
        let ring = numbers(&document["deadlocks"][0]["threads"]);
        assert_eq!(ring.len(), 3, "{mode} under {lock}: {document:#}");
        for lock in document["locks"].as_array().unwrap() {
            assert_eq!(lock["owner_known_by"], "lock", "{lock:#}");
            // The object of the program, and not a word within it.
            let name = lock["name"].as_str().unwrap();
            assert!(name.starts_with(waits_for), "{lock:#}");
        }
        let threads = document["threads"].as_array().unwrap().iter();
        let waiting: Vec<&Value> = threads.filter(|it| it["waits_for"] == waits_for).collect();
        assert!(waiting.iter().all(|it| it["has_deadline"] == false));
    }
}

#[test]
fn locks_of_try_that_do_not_store_it_say_so() {
    if !may_trace() {
        return;
    }
    for (mode, lock, waits_for, why) in [
        (
            "mutex",
            "tollgate",
            "mutex",
            "under `locktoll try`, plain mutexes do not store it",
        ),
        (
            "mutex",
            "mcs-park",
            "futex",
            "puts threads to sleep on words of their own",
        ),
    ] {
        let (code, document) = look(mode, lock, waits_for);
        assert_eq!(code, Some(0), "{mode} under {lock}: {document:#}");
        let note = document["locks"][0]["note"].as_str().unwrap();
        assert!(
            note.starts_with("the holder cannot be known: ") && note.contains(why),
            "{note}"
        );
    }
}

/// Checks that a look at the ring of three threads is what it would be without any library: the C library's locks name their holders.
fn is_as_without(document: &Value, mode: &str, under: &str) {
    let said = || format!("{mode} under {under}: {document:#}");
    let deadlock = &document["deadlocks"][0];
    let ring = numbers(&deadlock["threads"]);
    assert_eq!(ring.len(), 3, "{}", said());
    for lock in document["locks"].as_array().unwrap() {
        assert_eq!(lock["owner_known_by"], "lock", "{}", said());
        assert!(lock["note"].is_null(), "{}", said());
    }
}

/// `try` leaves robust mutexes and joins to the C library. A gate stands in front of the C library's mutex: with two places, the thread
/// that waits is through the gate.
#[test]
fn what_try_leaves_to_the_c_library_names_its_holder() {
    if !may_trace() {
        return;
    }
    for (mode, lock, waits_for, threads) in [
        ("robust", "tollgate", "mutex", 3),
        ("robust", "mcs-park", "mutex", 3),
        ("mutex", "gate:2", "mutex", 3),
        ("join", "gate:2", "join", 2),
    ] {
        let bench = Bench::new();
        let (_tried, pid) = Tried::start(&bench, mode, lock);
        if mode == "join" {
            until(&bench, pid, "mutex", 1);
        }
        let (output, document) = until(&bench, pid, waits_for, threads);
        assert_eq!(output.status.code(), Some(1), "{mode} {lock} {document:#}");
        is_as_without(&document, mode, lock);
    }
}

/// `whatif --slow` leaves all locks to the C library, `--fast` all but mutexes and reader-writer locks. The frames of its functions
/// stand between the C library's and the program's.
#[test]
fn under_whatif_the_c_librarys_objects_are_what_they_are() {
    if !may_trace() {
        return;
    }
    for (mode, waits_for) in [
        ("mutex", "mutex"),
        ("rwlock", "rwlock"),
        ("semaphore", "semaphore"),
        ("condition", "condvar"),
    ] {
        let (code, document) = look_under_whatif("lengthen", mode, (waits_for, 3));
        match waits_for {
            "mutex" | "rwlock" => {
                assert_eq!(code, Some(1), "{mode}: {document:#}");
                is_as_without(&document, mode, "lengthen");
            }
            _ => assert_eq!(code, Some(0), "{mode}: {document:#}"),
        }
    }
    for (mode, waits_for, threads) in [("join", "join", 2), ("semaphore", "semaphore", 3)] {
        let (_, document) = look_under_whatif("speed-up", mode, (waits_for, threads));
        let edges = document["edges"].as_array().unwrap();
        assert_eq!(
            edges.len(),
            if mode == "join" { 2 } else { 0 },
            "{document:#}"
        );
    }
}

fn look_under_whatif(
    lock: &str,
    mode: &str,
    (waits_for, threads): (&str, usize),
) -> (Option<i32>, Value) {
    let bench = Bench::new();
    let words = match lock {
        "lengthen" => ["whatif", "--slow", "held=+20%"],
        _ => ["whatif", "--fast", "held=-20%"],
    };
    let (_tried, pid) = Tried::start_with(&bench, mode, lock, &words);
    let (output, document) = until(&bench, pid, waits_for, threads);
    (output.status.code(), document)
}

/// The same sentence in words, with the place in the program and not in the library.
#[test]
fn the_report_names_the_place_in_the_program() {
    if !may_trace() || cfg!(not(target_arch = "x86_64")) {
        return;
    }
    let bench = Bench::new();
    let (_tried, pid) = Tried::start(&bench, "recursive", "futex3");
    until(&bench, pid, "mutex", 3);
    let output = bench.locktoll().args(["hang", &pid.to_string()]).output();
    let shown = text(&output.unwrap().stdout).replace('\n', " ");
    assert!(
        shown.contains("holds mutex `mutexes` and waits for mutex `mutexes+0x28` at take_next"),
        "{shown}"
    );
}
