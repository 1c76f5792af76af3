//! The ends of programs on other locks, and the processes left behind.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::bench::{Bench, text};
use crate::tried::{LOCK, document, row, running};

fn program(bench: &Bench) -> String {
    bench.c("tried", &[]).to_str().unwrap().to_owned()
}

#[test]
fn a_program_runs_on_every_lock_and_the_result_has_its_rows() {
    let bench = Bench::new();
    let program = program(&bench);
    let (document, said) = document(&bench, &[], &[&program, "count", "4", "2000"], 0);
    assert!(said.contains("threads were blocked on locks for"), "{said}");
    assert_eq!(document["partial"], false);
    assert_eq!(document["command"][1], "count");
    assert_eq!(document["metric"]["source"], "wall_time");
    for lock in ["bare", "pass-through", LOCK] {
        let row = row(&document, lock);
        assert!(row["metric"]["median"].as_f64() > Some(0.0), "{row}");
        assert!(row["cpu_ns"]["median"].as_f64() > Some(0.0), "{row}");
        assert!(row["dropped"].is_null(), "{row}");
    }
    let replaced = |lock| row(&document, lock)["coverage"]["locks_replaced"].as_u64();
    assert_eq!(replaced("bare"), None);
    assert_eq!(replaced("pass-through"), Some(0));
    assert!(replaced(LOCK) >= Some(1), "{document:#}");
    assert!(!document["conclusion"].as_str().unwrap().is_empty());
}

#[test]
fn what_happens_on_one_lock_ends_that_lock_alone() {
    let bench = Bench::new();
    let program = program(&bench);
    for (way, expected) in [
        (&["signal", LOCK][..], "signal"),
        (&["code", LOCK, "7"], "exit_code"),
        (&["hang", LOCK], "time_limit"),
    ] {
        let mut words = vec![&*program];
        words.extend(way);
        let (document, _) = document(&bench, &["--timeout", "3s"], &words, 0);
        let dropped = &row(&document, LOCK)["dropped"];
        assert_eq!(dropped["why"], expected, "{document:#}");
        match expected {
            "signal" => {
                assert_eq!(dropped["name"], "SIGSEGV");
                assert_eq!(dropped["said"], "first words\nlast words");
            }
            "exit_code" => assert_eq!(dropped["code"], 7),
            _ => assert_eq!(dropped["limit_ns"], 3_000_000_000u64),
        }
        let control = row(&document, "pass-through");
        assert!(control["dropped"].is_null(), "{control}");
        assert!(control["ratio_to_bare"]["median"].is_number(), "{control}");
    }
}

#[test]
fn the_programs_own_exit_status_is_passed_on() {
    let bench = Bench::new();
    let program = program(&bench);
    let (document, _) = document(&bench, &[], &[&program, "exit", "3"], 3);
    assert!(row(&document, LOCK)["dropped"].is_null(), "{document:#}");
}

#[test]
fn a_program_that_loses_the_library_is_told() {
    let bench = Bench::new();
    let program = program(&bench);
    let (document, _) = document(&bench, &[], &[&program, "clean"], 0);
    // The library saw the program start, and not what it became.
    let row = row(&document, LOCK);
    assert_eq!(row["coverage"]["locks_replaced"], 0, "{row}");
}

#[test]
fn nothing_that_a_run_starts_outlives_it() {
    let bench = Bench::new();
    let program = program(&bench);
    let name = format!("left-by-{}", std::process::id());
    document(&bench, &[], &[&program, "leave", &name], 0);
    assert_eq!(running(&name), Vec::<String>::new());
}

#[test]
fn an_interruption_shows_what_is_known_and_ends_everything() {
    let bench = Bench::new();
    let program = program(&bench);
    let name = format!("interrupted-{}", std::process::id());
    let mut child = bench
        .locktoll()
        .args(["try", "--json", "--lock", LOCK, "--", "sh", "-c"])
        .arg(format!("{program} count 2 1000; sleep 0.2 # {name}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It says what it is going to do once bare has run.
    let mut said = [0; 4096];
    let mut heard = String::new();
    let mut errors = child.stderr.take().unwrap();
    while !heard.contains("at most") {
        let bytes = errors.read(&mut said).unwrap();
        assert!(bytes > 0, "{heard}");
        heard.push_str(&text(&said[..bytes]));
    }
    // Twice, as `timeout` does it: to us, and to our whole group.
    let pid = child.id();
    let sent = Command::new("sh")
        .args(["-c", &format!("kill -TERM {pid}; kill -TERM {pid}")])
        .status();
    assert!(sent.unwrap().success());
    let since = Instant::now();
    let mut printed = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut printed)
        .unwrap();
    errors.read_to_string(&mut heard).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{heard}");
    assert!(since.elapsed() < Duration::from_secs(60), "{heard}");
    let document: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(document["partial"], true);
    assert!(heard.contains("interrupted"), "{heard}");
    assert_eq!(running(&name), Vec::<String>::new());
}
