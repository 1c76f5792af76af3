//! Programs that hang, and what `hang` says of them.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::{Bench, text};

/// Longer than any program here needs until all of its threads wait, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that runs until this value goes.
pub struct Stuck {
    child: Child,
    /// Its own process id.
    pub pid: u32,
}

impl Stuck {
    /// Starts a command whose first line is `ready PID`.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let pid = line.strip_prefix("ready ").expect("it runs").trim();
        Self {
            child,
            pid: pid.parse().unwrap(),
        }
    }

    /// Starts `hung_ring.c` in a mode, with this number of threads.
    pub fn ring(bench: &Bench, mode: &str, threads: usize) -> Self {
        let program = program(bench);
        Self::start(Command::new(program).args([mode, &threads.to_string()]))
    }

    /// The same under `locktoll record`.
    pub fn recorded_ring(bench: &Bench, mode: &str, threads: usize) -> Self {
        let program = program(bench);
        let mut command = bench.locktoll();
        command.args(["record", "--quiet", "-o", "out.locktoll", "--"]);
        Self::start(command.arg(program).args([mode, &threads.to_string()]))
    }

    /// Looks until this number of threads waits for what `waits_for` says, and returns that look. On a busy machine, threads take a
    /// while to get there.
    pub fn look_until(&self, bench: &Bench, waits_for: &str, threads: usize) -> (Output, Value) {
        until(bench, self.pid, waits_for, threads)
    }

    /// The process that was started, which may be another than the program.
    pub fn started(&self) -> u32 {
        self.child.id()
    }
}

/// `hung_ring.c`, compiled. A program that runs cannot be written again.
pub fn program(bench: &Bench) -> PathBuf {
    let program = bench.path("hung_ring");
    match program.exists() {
        true => program,
        false => bench.c("hung_ring", &[]),
    }
}

/// The same for a process id.
pub fn until(bench: &Bench, pid: u32, waits_for: &str, threads: usize) -> (Output, Value) {
    let began = Instant::now();
    loop {
        let output = look(bench, pid);
        let document: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
        let all = document["threads"].as_array().unwrap();
        let found = all.iter().filter(|it| it["waits_for"] == waits_for);
        // An edge is confirmed once its thread has gone back to sleep after the stop.
        if found.count() >= threads {
            return (output, document);
        }
        assert!(began.elapsed() < PATIENCE, "{document:#}");
    }
}

impl Drop for Stuck {
    fn drop(&mut self) {
        // The end of its input ends it.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// Runs `locktoll hang --json PID`.
pub fn look(bench: &Bench, pid: u32) -> Output {
    let mut command = bench.locktoll();
    command
        .args(["hang", "--json", &pid.to_string()])
        .output()
        .unwrap()
}

/// Whether this user may trace other processes here; otherwise the test is skipped, and counted.
pub fn may_trace() -> bool {
    let text = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    let scope: u32 = text
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(0);
    // SAFETY: it has no preconditions.
    let is_root = unsafe { libc::geteuid() } == 0;
    let may = scope == 0 || scope < 3 && is_root;
    if !may {
        locktoll_needs::refused("ptrace(2)");
    }
    may
}

/// The numbers in an array.
pub fn numbers(array: &Value) -> Vec<u64> {
    array
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_u64().unwrap())
        .collect()
}
