//! Programs that contend heavily and do not hang.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::bench::Bench;
use crate::program::{Stuck, may_trace};

/// How often each program is looked at.
const LOOKS: usize = 200;

#[test]
fn in_two_hundred_looks_at_a_contended_program_there_is_no_deadlock() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let program = bench.c("healthy", &[]);
    for recorded in [false, true] {
        let mut command = match recorded {
            false => Command::new(&program),
            true => {
                let mut command = bench.locktoll();
                command.args(["record", "--quiet", "-o", "out.locktoll", "--"]);
                command.arg(&program);
                command
            }
        };
        let healthy = Stuck::start(&mut command);
        let looks = if recorded { LOOKS / 4 } else { LOOKS };
        let (waits, stopped) = watch(&bench, healthy.pid, looks);
        // The looks have seen what they were meant to judge.
        assert!(
            waits > looks && stopped > looks,
            "{waits} waits, {stopped} stops"
        );
    }
}

/// Looks `looks` times, and returns the numbers of waits for locks and of stops that were seen.
fn watch(bench: &Bench, pid: u32, looks: usize) -> (usize, usize) {
    let mut watching = bench
        .locktoll()
        .args(["hang", "--json", "--watch", "10ms", &pid.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    let (mut waits, mut stopped, mut seen) = (0, 0, 0);
    for line in lines.take(looks) {
        let document: Value = serde_json::from_str(&line.unwrap()).unwrap();
        assert_eq!(
            document["deadlocks"],
            Value::Array(Vec::new()),
            "{document:#}"
        );
        let threads = document["threads"].as_array().unwrap().iter();
        let waiting = ["mutex", "rwlock", "semaphore", "join"];
        waits += threads
            .filter(|it| waiting.contains(&it["waits_for"].as_str().unwrap()))
            .count();
        stopped += document["looked"]["stops"]["count"].as_u64().unwrap() as usize;
        seen += 1;
    }
    assert_eq!(seen, looks, "it went on until then");
    watching.kill().unwrap();
    watching.wait().unwrap();
    (waits, stopped)
}
