//! Real programs, if they are installed: the same output as without locktoll, and no order of locks that could end in a deadlock.

use std::process::Command;

use crate::bench::{Bench, text};

/// Runs `program` bare and recorded; `None`, and the test is skipped, if it is not installed.
fn same_output(bench: &Bench, program: &[&str]) -> Option<serde_json::Value> {
    if !locktoll_needs::programs(&program[..1]) {
        return None;
    }
    let bare = Command::new(program[0])
        .args(&program[1..])
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    let recorded = bench.record(program);
    assert_eq!(recorded.stdout, bare.stdout, "{program:?}");
    assert_eq!(
        recorded.status.code(),
        bare.status.code(),
        "{program:?}: {}",
        text(&recorded.stderr)
    );
    let profile = bench.profile("out.locktoll");
    let cycles = &profile["order"]["cycles"];
    assert_eq!(*cycles, serde_json::Value::Array(Vec::new()), "{program:?}");
    Some(profile)
}

#[test]
fn python_with_threads() {
    let bench = Bench::new();
    let code = "import threading, queue
q = queue.Queue()
def work():
    for i in range(500):
        q.put(i); q.get()
threads = [threading.Thread(target=work) for _ in range(4)]
for t in threads: t.start()
for t in threads: t.join()
print('done', q.qsize())";
    if let Some(profile) = same_output(&bench, &["python3", "-c", code]) {
        assert!(profile["threads"].as_u64().unwrap() >= 5, "{profile:#}");
    }
}

#[test]
fn compression_with_threads() {
    let bench = Bench::new();
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(3 << 20)
    .collect();
    std::fs::write(bench.path("noise"), noise).unwrap();
    let arguments = ["xz", "-1", "-T2", "--block-size=1MiB", "-c", "noise"];
    if let Some(profile) = same_output(&bench, &arguments) {
        assert!(
            !profile["locks"].as_array().unwrap().is_empty(),
            "{profile:#}"
        );
    }
}

#[test]
fn sorting_in_parallel() {
    let bench = Bench::new();
    let numbers: String = (0..200_000_u32)
        .map(|n| format!("{}\n", n.wrapping_mul(2_654_435_761)))
        .collect();
    std::fs::write(bench.path("numbers"), numbers).unwrap();
    same_output(
        &bench,
        &["sort", "-n", "--parallel=2", "-S", "50M", "numbers"],
    );
}

#[test]
fn version_control_with_its_helpers() {
    let bench = Bench::new();
    same_output(&bench, &["git", "init", "--quiet", "repository"]);
    same_output(
        &bench,
        &["git", "-C", "repository", "status", "--short", "--branch"],
    );
}
