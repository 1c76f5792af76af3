//! The counts and the times are those that bpftrace finds by itself in the same run.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::program::{contention, document, kind, may_trace, number};

/// bpftrace at work on the threads of one name.
struct Bpftrace(Child, BufReader<std::process::ChildStdout>);

/// Ends by itself with the program. All begins of its threads by kind; of the waits for sleeping locks their sum, each from its first begin to its end.
const SCRIPT: &str = r#"
BEGIN { printf("ready\n"); }
tracepoint:lock:contention_begin /comm == "NAME"/ {
    @begins[args->flags & 32 ? "mutex" : args->flags & 1 ? "spinning" : "rwsem"] = count();
    if (!(args->flags & 1) && @began[tid, args->lock_addr] == 0) { @began[tid, args->lock_addr] = nsecs; }
}
tracepoint:lock:contention_end /@began[tid, args->lock_addr]/ {
    @waited = sum(nsecs - @began[tid, args->lock_addr]);
    delete(@began[tid, args->lock_addr]);
}
tracepoint:sched:sched_process_exit /comm == "NAME" && pid == tid/ { exit(); }
END { clear(@began); }
"#;

impl Bpftrace {
    /// Starts bpftrace. `None` where it is missing; the test is then skipped.
    fn begin(name: &str) -> Option<Self> {
        if !locktoll_needs::programs(&["bpftrace", "timeout"]) {
            return None;
        }
        let script = SCRIPT.replace("NAME", name);
        // A bpftrace that does not end fails the test, not all that come after it.
        let started = Command::new("timeout")
            .args([
                "--signal=KILL",
                "120",
                "bpftrace",
                "-f",
                "json",
                "-e",
                &script,
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = started.unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("ready") {
            line.clear();
            if lines.read_line(&mut line).unwrap() == 0 {
                child.wait().unwrap();
                locktoll_needs::refused("bpftrace cannot trace");
                return None;
            }
        }
        Some(Self(child, lines))
    }

    /// What it found, by name, once the program has ended.
    fn found(mut self) -> Value {
        let mut found = serde_json::Map::new();
        for line in self.1.lines() {
            let Ok(line) = serde_json::from_str::<Value>(&line.unwrap()) else {
                continue;
            };
            if let Some(data) = line["data"].as_object() {
                found.extend(data.clone());
            }
        }
        self.0.wait().unwrap();
        found.into()
    }
}

fn close(ours: u64, theirs: u64, within: f64) -> bool {
    (ours as f64 / theirs as f64 - 1.0).abs() <= within
}

#[test]
fn waits_for_a_mutex_are_counted_as_bpftrace_counts_them() {
    if !may_trace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = contention(&folder, "kcount");
    let Some(other) = Bpftrace::begin("kcount") else {
        return;
    };
    let program = program.to_str().unwrap();
    let ours = document(&["--only", "--", program, "rename", "4", "5000"]);
    let theirs = other.found();
    let theirs = theirs["@begins"]["mutex"].as_u64().unwrap();
    let mutex = kind(&ours, "mutex");
    let begins = number(mutex, "count") + number(mutex, "repeated_begins");
    assert!(theirs > 1_000, "too little contention: {theirs}");
    assert!(close(begins, theirs, 0.01), "{begins} against {theirs}");
    let lost = ours["lost"].as_object().unwrap();
    let lost: u64 = lost.values().map(|number| number.as_u64().unwrap()).sum();
    assert!(lost * 100 <= theirs, "{:?}", ours["lost"]);
}

#[test]
fn waits_for_a_semaphore_last_as_long_as_bpftrace_finds() {
    if !may_trace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = contention(&folder, "ktime");
    let Some(other) = Bpftrace::begin("ktime") else {
        return;
    };
    let program = program.to_str().unwrap();
    let ours = document(&["--only", "--", program, "map", "8", "10000"]);
    let theirs = other.found();
    let rows = ours["kinds"].as_array().unwrap().iter();
    let sleeping = rows.filter(|row| {
        let kind = row["kind"].as_str().unwrap();
        kind == "mutex" || kind.starts_with("rwsem")
    });
    let ours_ns: u64 = sleeping.map(|row| row["total_ns"].as_u64().unwrap()).sum();
    let theirs_ns = theirs["@waited"].as_u64().unwrap();
    assert!(
        close(ours_ns, theirs_ns, 0.02),
        "{ours_ns} against {theirs_ns}: {ours:#} {theirs:#}"
    );
}
