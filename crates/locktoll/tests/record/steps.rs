//! A program that works in steps, and snapshots of it.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;

use crate::bench::{Bench, text};

/// A program that works in steps, under the recorder.
pub struct Steps {
    /// `locktoll record`.
    pub recorder: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Steps {
    /// Starts it, with more flags of `record`.
    pub fn start(bench: &Bench, more: &[&str]) -> Self {
        Self::start_by(bench, bench.locktoll(), more)
    }

    /// Starts it by a command that was prepared.
    pub fn start_by(bench: &Bench, command: Command, more: &[&str]) -> Self {
        Self::begin(bench, command, more, &[])
    }

    /// Starts it by the last of several programs that start each other.
    pub fn start_inside(bench: &Bench, programs: &[&str]) -> Self {
        Self::begin(bench, bench.locktoll(), &[], programs)
    }

    fn begin(bench: &Bench, mut command: Command, more: &[&str], programs: &[&str]) -> Self {
        command
            .args(["record", "--quiet", "--spin", "off", "-o", "out.locktoll"])
            .args(more)
            .arg("--")
            .args(programs)
            .arg(bench.c("steps", &[]));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut recorder = child.unwrap();
        let mut said = BufReader::new(recorder.stdout.take().unwrap()).lines();
        assert_eq!(said.next().unwrap().unwrap(), "ready");
        Self { recorder, said }
    }

    /// Takes a step: "step", "thread" or "fork".
    pub fn step(&mut self, how: &str) {
        let input = self.recorder.stdin.as_mut().unwrap();
        writeln!(input, "{how}").unwrap();
        assert_eq!(self.said.next().unwrap().unwrap(), "done");
    }

    /// The program's own process id.
    pub fn pid(&self) -> String {
        let recorder = self.recorder.id();
        let children = format!("/proc/{recorder}/task/{recorder}/children");
        fs::read_to_string(children).unwrap().trim().to_owned()
    }

    /// Has it end.
    pub fn end(mut self) {
        drop(self.recorder.stdin.take());
        assert!(self.recorder.wait().unwrap().success());
        assert!(
            self.said.next().is_none(),
            "it says no more than it does alone"
        );
    }
}

/// Runs `locktoll snapshot`.
pub fn snapshot(bench: &Bench, words: &[&str]) -> Output {
    let mut command = bench.locktoll();
    command.arg("snapshot").args(words).output().unwrap()
}

/// Takes a snapshot into this file, and reads it.
pub fn taken(bench: &Bench, pid: &str, file: &str, more: &[&str]) -> Value {
    let out = snapshot(bench, &[&[pid, "-o", file], more].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(out.stdout.is_empty());
    bench.profile(file)
}
