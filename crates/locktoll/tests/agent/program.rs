//! The program that is watched: `tests/programs/counted_steps.c`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::bench::Bench;

/// It runs until this value goes.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// The program's own process id.
    pub pid: u32,
}

impl Program {
    /// Under `locktoll record`, with a recording of this name.
    pub fn recorded(bench: &Bench, recording: &str) -> Self {
        let program = bench.c("counted_steps", &[]);
        Self::recorded_as(bench, &program, recording)
    }

    /// The same under a name that no other test's programs have.
    pub fn named(bench: &Bench, name: &str, recording: &str) -> Self {
        let program = bench.path(name);
        let built = bench.c("counted_steps", &[]);
        // A program that runs cannot be written to.
        if !program.exists() {
            std::fs::copy(built, &program).unwrap();
        }
        Self::recorded_as(bench, &program, recording)
    }

    fn recorded_as(bench: &Bench, program: &std::path::Path, recording: &str) -> Self {
        let mut command = bench.locktoll();
        command.args(["record", "--quiet", "-o", recording, "--"]);
        Self::start(command.arg(program))
    }

    /// By itself.
    pub fn alone(bench: &Bench) -> Self {
        Self::start(&mut Command::new(bench.c("counted_steps", &[])))
    }

    fn start(command: &mut Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let mut program = Self {
            input: child.stdin.take(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
            pid: 0,
        };
        let ready = program.answer();
        let pid = ready.strip_prefix("ready ").expect("it runs");
        program.pid = pid.parse().unwrap();
        program
    }

    /// Has it do what `line` says, and waits until it has.
    pub fn step(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
        assert_eq!(self.answer(), "done", "{line}");
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Has it end.
    pub fn end(&mut self) {
        drop(self.input.take());
        self.child.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}
