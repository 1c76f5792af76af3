//! Lines of JSON, for scripts.

use std::io::{BufRead, BufReader, Read};
use std::process::Command;

use serde_json::Value;

use crate::bench::{Bench, LOCKTOLL, text};
use crate::program::{Running, is_privileged, unprivileged};

/// Threads of the program that wait.
const THREADS: u64 = 6;

/// What `top --json` says with these words.
fn lines(words: &[&str]) -> Vec<Value> {
    let mut command = Command::new(LOCKTOLL);
    command.args(["top", "--json"]);
    let out = command.args(words).output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    parsed(&out.stdout)
}

fn parsed(stdout: &[u8]) -> Vec<Value> {
    let lines = text(stdout);
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn lock<'a>(line: &'a Value, name: &str) -> &'a Value {
    let locks = line["chosen"]["locks"].as_array().unwrap();
    let found = locks.iter().find(|lock| lock["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {line:#}"))
}

/// Threads that waited for a lock, on average over the interval.
fn waiting(line: &Value, name: &str) -> f64 {
    lock(line, name)["last"]["wait_ns"].as_f64().unwrap()
        / line["chosen"]["window_ns"].as_f64().unwrap()
}

/// What a recorded program's lines must say.
fn are_of_uneven_locks(lines: &[Value]) {
    for line in lines {
        assert_eq!(line["schema"], "locktoll.top/1");
        let (quick, slow) = (waiting(line, "quick_lock"), waiting(line, "slow_lock"));
        // Of four threads one holds the lock, and of two.
        assert!(
            quick <= 4.1 && slow <= 2.1 && quick > slow && slow > 0.0,
            "{quick} {slow}"
        );
        let mean = |name| {
            let last = &lock(line, name)["last"];
            last["wait_ns"].as_f64().unwrap() / last["waits"].as_f64().unwrap()
        };
        assert!(mean("slow_lock") > mean("quick_lock"), "{line:#}");
        let whole = &lock(line, "quick_lock")["whole"];
        let place = whole["waiters"][0]["place"].as_str().unwrap();
        assert!(place.starts_with("quick_worker"), "{place}");
        let buckets: u64 = whole["log2"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it.as_u64().unwrap())
            .sum();
        // Each wait has a length. A thread may be in between its two counts when they are read, and of waits that ended before their thread
        // had left its processor the kernel's programs take no time.
        let waits = whole["waits"].as_u64().unwrap();
        assert!(
            buckets <= waits + THREADS && buckets + THREADS + waits / 20 >= waits,
            "{buckets} {waits}"
        );
    }
}

#[test]
fn a_recorded_program_line_by_line() {
    let bench = Bench::new();
    let running = Running::recorded(&bench);
    let lines = lines(&["--interval", "1s", "--count", "3", &running.pid.to_string()]);
    assert_eq!(lines.len(), 3);
    are_of_uneven_locks(&lines);
    for pair in lines.windows(2) {
        let waits =
            |line: &Value, of: &str| lock(line, "quick_lock")[of]["waits"].as_u64().unwrap();
        assert_eq!(
            waits(&pair[1], "whole"),
            waits(&pair[0], "whole") + waits(&pair[1], "last"),
            "an interval is the difference of two moments"
        );
    }
    let program = &lines[0]["programs"][0];
    assert_eq!(lines[0]["programs"].as_array().unwrap().len(), 1);
    assert_eq!(program["seen_by"], "recorder");
    assert!(program["waits"].as_u64() > Some(0));
}

#[test]
fn without_privileges_too() {
    // Where anybody may go, since the binary may be built where only its builder may.
    let folder = tempfile::Builder::new()
        .prefix("top-")
        .tempdir_in("/tmp")
        .unwrap();
    std::os::unix::fs::chown(folder.path(), None, None).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(folder.path(), mode).unwrap();
    let bench = Bench::new();
    let (binary, program) = (
        folder.path().join("locktoll"),
        folder.path().join("uneven_locks"),
    );
    std::fs::copy(LOCKTOLL, &binary).unwrap();
    std::fs::copy(bench.c("uneven_locks", &[]), &program).unwrap();

    let mut command = Command::new(&binary);
    command
        .current_dir(folder.path())
        .env("XDG_CACHE_HOME", folder.path().join("cache"))
        .args(["record", "--quiet", "-o", "out.locktoll", "--"]);
    let running = Running::start(unprivileged(command.arg(&program)));
    let mut top = Command::new(&binary);
    top.args(["top", "--json", "--interval", "1s", "--count", "2"]);
    let out = unprivileged(top.arg(running.pid.to_string()))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let lines = parsed(&out.stdout);
    are_of_uneven_locks(&lines);
    // Nothing is counted at the scheduler, and something is told all the same.
    let causes = lines[1]["chosen"]["causes"].as_array().unwrap();
    let counted = causes.iter().find(|it| it["known_by"] == "counted");
    assert!(counted.is_none() && !causes.is_empty(), "{causes:?}");

    // Of a program that is not recorded, nobody tells.
    let alone = Running::start(unprivileged(&mut Command::new(&program)));
    let mut top = Command::new(&binary);
    top.args(["top", "--json", "--count", "1"]);
    let out = unprivileged(top.arg(alone.pid.to_string()))
        .output()
        .unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(3), "{said}");
    assert!(
        said.contains("locktoll record -- CMD") && said.lines().count() == 1,
        "{said}"
    );
}

#[test]
fn all_programs_and_all_causes() {
    let bench = Bench::new();
    let running = Running::recorded(&bench);
    let lines = lines(&["--interval", "1s", "--count", "2"]);
    for line in &lines {
        let programs = line["programs"].as_array().unwrap();
        let ours = programs.iter().find(|it| it["pid"] == running.pid);
        let ours = ours.unwrap_or_else(|| panic!("not in {line:#}"));
        assert_eq!(
            (&ours["name"], &ours["seen_by"]),
            (&"uneven_locks".into(), &"recorder".into())
        );
        assert!(ours["wait_ns"].as_u64() > Some(0), "{ours:#}");
        assert!(line["chosen"].is_null());
        let cpu = line["machine"]["cpu"].as_object().unwrap();
        let sum: f64 = cpu.values().map(|share| share.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{cpu:?}");
    }
}

#[test]
fn counted_switches_are_those_that_the_kernel_tells_of() {
    if !is_privileged() {
        locktoll_needs::refused("no programs can be loaded into the kernel");
        return;
    }
    let bench = Bench::new();
    let running = Running::recorded(&bench);
    for line in lines(&["--interval", "1s", "--count", "2", &running.pid.to_string()]) {
        let causes = line["chosen"]["causes"].as_array().unwrap();
        let of = |kinds: &[&str]| -> u64 {
            let found = causes
                .iter()
                .filter(|it| kinds.contains(&it["cause"].as_str().unwrap()));
            found.map(|it| it["switches"].as_u64().unwrap()).sum()
        };
        let program = &line["programs"][0];
        let voluntary = program["voluntary"].as_f64().unwrap();
        // Its threads only ever sleep and wait for locks. The two counts are read one after the other.
        let counted = of(&["lock", "sleep"]) as f64;
        assert!(
            (counted / voluntary - 1.0).abs() < 0.1,
            "{counted} of {voluntary}: {causes:?}"
        );
        assert!(
            of(&["lock"]) > 0 && of(&["sleep"]) > of(&["lock"]) / 2,
            "{causes:?}"
        );
        assert_eq!(
            of(&["yielded", "unknown", "yielded_or_woken_over"]),
            0,
            "{causes:?}"
        );
    }
}

#[test]
fn a_program_that_is_not_recorded_is_seen_from_the_kernel() {
    if !is_privileged() {
        locktoll_needs::refused("no programs can be loaded into the kernel");
        return;
    }
    let bench = Bench::new();
    let running = Running::alone(&bench);
    let pid = running.pid.to_string();
    let lines_of_one = lines(&["--interval", "1s", "--count", "3", &pid]);
    are_of_uneven_locks(&lines_of_one[1..]);
    for line in &lines_of_one {
        assert_eq!(line["chosen"]["seen_by"], "kernel");
        let quick = lock(line, "quick_lock");
        assert_eq!(quick["kind"], "mutex");
        // What passes without the kernel is not known: not zero.
        assert!(quick["whole"]["acquisitions"].is_null());
        let waker = quick["whole"]["wakers"][0]["place"].as_str().unwrap();
        assert!(waker.starts_with("quick_worker"), "{waker}");
        let holder = quick["whole"]["holders"][0]["place"].as_str().unwrap();
        assert!(holder.starts_with("thread uneven_locks ("), "{holder}");
    }
    let of_all = lines(&["--interval", "1s", "--count", "2"]);
    let programs = of_all[1]["programs"].as_array().unwrap();
    let ours = programs.iter().find(|it| it["pid"] == running.pid);
    let ours = ours.unwrap_or_else(|| panic!("not in {programs:#?}"));
    assert_eq!(ours["seen_by"], "kernel");
    let waiting = ours["wait_ns"].as_f64().unwrap() / ours["waits_window_ns"].as_f64().unwrap();
    // Of six threads two hold the locks.
    assert!(waiting > 1.0 && waiting < 6.1, "{waiting}");
}

#[test]
fn the_end_of_the_program_is_the_last_line() {
    let bench = Bench::new();
    let mut running = Running::recorded(&bench);
    let pid = running.pid.to_string();
    let mut top = Command::new(LOCKTOLL)
        .args(["top", "--json", "--interval", "200ms", &pid])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(top.stdout.take().unwrap());
    let mut bytes = Vec::new();
    printed.read_until(b'\n', &mut bytes).unwrap();
    running.end();
    printed.read_to_end(&mut bytes).unwrap();
    let out = top.wait_with_output().unwrap();
    assert!(out.status.success());
    assert!(text(&out.stderr).contains(&format!("process {pid} has ended")));
    let lines = parsed(&bytes);
    assert_eq!(lines.last().unwrap()["chosen"]["ended"], true);
    assert!(
        lines[..lines.len() - 1]
            .iter()
            .all(|line| line["chosen"]["ended"] == false)
    );
}
