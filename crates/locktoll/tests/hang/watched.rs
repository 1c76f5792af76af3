//! `hang --watch`: only threads that have not run since the last check, until a deadlock or the end of the process.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::bench::{Bench, text};
use crate::program::{Stuck, may_trace};

/// Starts `hang --watch` with these words on a program.
fn watch(bench: &Bench, pid: u32, words: &[&str]) -> Child {
    let mut command = bench.locktoll();
    command.args(["hang", &pid.to_string(), "--watch", "100ms"]);
    command.args(words).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn threads_that_do_not_move_have_the_time_and_the_watch_ends_with_the_process() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "chain", 4);
    stuck.look_until(&bench, "mutex", 4);
    let mut watching = watch(&bench, stuck.pid, &["--json"]);
    let mut lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    let mut looks = 0;
    // On a busy machine, a thread may take a while to sleep again after it was stopped.
    let longest = loop {
        let line = lines.next().expect("it goes on").unwrap();
        let look: Value = serde_json::from_str(&line).unwrap();
        let waiting = look["threads"].as_array().unwrap().iter();
        let waiting = waiting.filter(|it| it["waits_for"] == "mutex");
        let unmoved: Vec<Option<u64>> = waiting.map(|it| it["unmoved_ns"].as_u64()).collect();
        if looks == 0 {
            assert!(unmoved.iter().all(Option::is_none), "{look:#}");
        }
        looks += 1;
        let least = unmoved.iter().map(|it| it.unwrap_or(0)).min().unwrap_or(0);
        if unmoved.len() == 4 && least > 200_000_000 || looks > 300 {
            break least;
        }
    };
    // Two intervals: it is added up over the checks, although each of them stops the threads.
    assert!(longest > 200_000_000, "{looks} checks");
    drop(stuck);
    let rest = lines.count();
    let status = watching.wait().unwrap();
    let mut said = String::new();
    watching.stderr.unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(status.code(), Some(0), "{said}, after {rest} more checks");
    assert!(said.contains("has ended"), "{said}");
}

#[test]
fn later_checks_list_only_threads_that_have_not_run() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let program = bench.c("healthy", &[]);
    let healthy = Stuck::start(&mut std::process::Command::new(program));
    let mut watching = watch(&bench, healthy.pid, &["--all"]);
    let mut lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    // The first check lists all threads, also those that run; the second one begins with another answer.
    let is_answer = |line: &str| line.starts_with("No deadlock");
    let first = lines.next().unwrap().unwrap();
    assert!(is_answer(&first), "{first}");
    let mut rest = lines.map(Result::unwrap);
    let first: Vec<String> = rest.by_ref().take_while(|it| !is_answer(it)).collect();
    let second: Vec<String> = rest.by_ref().take_while(|it| !is_answer(it)).collect();
    watching.kill().unwrap();
    watching.wait().unwrap();
    let unmoved = |lines: &[String]| lines.join(" ").matches("has not run for").count();
    assert!(entries(&first) > 0 && unmoved(&first) == 0, "{first:#?}");
    assert_eq!(entries(&second), unmoved(&second), "{second:#?}");
}

/// The entries of threads in a report: `Thread 7 (worker) waits ...`, `3 threads wait ...`.
fn entries(lines: &[String]) -> usize {
    let is_entry = |line: &&String| {
        let mut words = line.split(' ');
        match (words.next(), words.next(), words.next()) {
            (Some("Thread"), ..) => true,
            (Some(number), Some("threads"), Some("wait" | "run" | "are")) => {
                number.parse::<u32>().is_ok()
            }
            _ => false,
        }
    };
    let threads = lines.iter().skip_while(|it| *it != "Threads");
    threads.filter(is_entry).count()
}

#[test]
fn a_deadlock_ends_the_watch() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "mutex", 2);
    let output = watch(&bench, stuck.pid, &[]).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(
        shown.contains("Deadlock: 2 threads wait for each other in a cycle"),
        "{shown}"
    );
}
