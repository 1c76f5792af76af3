//! Core files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::bench::{Bench, text};
use crate::program::{Stuck, may_trace, numbers, program};

/// Has gdb write a core file of a ring of three threads.
fn core(bench: &Bench) -> Option<PathBuf> {
    if !may_trace() || !locktoll_needs::programs(&["gcore"]) {
        return None;
    }
    let stuck = Stuck::ring(bench, "mutex", 3);
    stuck.look_until(bench, "mutex", 3);
    let made = Command::new("gcore")
        .args([
            "-o",
            &bench.path("core").to_string_lossy(),
            &stuck.pid.to_string(),
        ])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", text(&made.stderr));
    Some(bench.path(format!("core.{}", stuck.pid)))
}

fn look(bench: &Bench, core: &Path) -> Output {
    let mut command = bench.locktoll();
    command.args(["hang", "--json", "--core"]).arg(core);
    command.output().unwrap()
}

#[test]
fn a_core_file_shows_the_ring_with_names() {
    let bench = Bench::new();
    let Some(core) = core(&bench) else { return };
    let output = look(&bench, &core);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(numbers(&document["deadlocks"][0]["threads"]).len(), 3);
    assert!(document["looked"].is_null());
    let shown = text(&output.stdout);
    assert!(
        shown.contains("\"take_next\"") && shown.contains("mutexes+"),
        "{shown}"
    );
}

#[test]
fn what_is_missing_is_said_and_the_rest_is_shown() {
    let bench = Bench::new();
    let Some(core) = core(&bench) else { return };
    // The program's path in the core file leads to another program of the same length of path.
    let bytes = std::fs::read(&core).unwrap();
    let built = program(&bench);
    let path = built.to_string_lossy().into_owned();
    let gone = path.replace("/hung_ring", "/hung_rong");
    assert_eq!(path.len(), gone.len());
    let changed = replaced(&bytes, path.as_bytes(), gone.as_bytes());
    let other = bench.path("elsewhere.core");
    std::fs::write(&other, changed).unwrap();
    let output = look(&bench, &other);
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let notes = document["notes"].to_string();
    assert!(
        notes.contains("was not found: its functions and variables have no names"),
        "{notes}"
    );
    // The locks of glibc name their owners whatever the program.
    assert_eq!(
        numbers(&document["deadlocks"][0]["threads"]).len(),
        3,
        "{document:#}"
    );

    let half = bench.path("half.core");
    std::fs::write(&half, &bytes[..bytes.len() / 2]).unwrap();
    let output = look(&bench, &half);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(said.contains("is truncated"), "{said}");
}

/// A core file often comes from a machine where another version of the program is installed by now.
#[test]
fn another_version_of_the_program_does_not_give_it_names() {
    let bench = Bench::new();
    let Some(core) = core(&bench) else { return };
    let built = program(&bench);
    std::fs::remove_file(&built).unwrap();
    std::fs::copy(bench.c("healthy", &[]), &built).unwrap();
    let output = look(&bench, &core);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let notes = document["notes"].to_string();
    assert!(
        notes.contains("is another version than the one that the process ran"),
        "{notes}"
    );
    let shown = text(&output.stdout);
    assert!(
        !shown.contains("healthy") && !shown.contains("take_next"),
        "{shown}"
    );
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    let mut at = 0;
    while at + from.len() <= changed.len() {
        if changed[at] == from[0] && changed[at..].starts_with(from) {
            changed[at..at + to.len()].copy_from_slice(to);
            at += to.len();
        } else {
            at += 1;
        }
    }
    changed
}

/// Runs a program for aarch64 in the emulator until its three threads deadlock. Returns the core file that the emulator writes, or `None`
/// if there is no emulator. Like a core file of the kernel, this file contains no code. It does not name the mapped files.
fn core_of_aarch64(bench: &Bench) -> Option<PathBuf> {
    const COMPILER: &str = "aarch64-linux-gnu-gcc";
    const LIBRARIES: &str = "/usr/aarch64-linux-gnu";
    let is_foreign = cfg!(target_arch = "x86_64");
    if !is_foreign || !locktoll_needs::programs(&[COMPILER, "qemu-aarch64"]) {
        return None;
    }
    if !Path::new(LIBRARIES).join("lib/libpthread.so.0").exists() {
        locktoll_needs::refused("the C library for aarch64");
        return None;
    }
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/programs/hung_ring.c"
    );
    let built = bench.path("hung_on_arm");
    let mut compiler = Command::new(COMPILER);
    compiler.args(["-g", "-O1", "-pthread", "-o"]).arg(&built);
    assert!(compiler.arg(source).status().unwrap().success());
    // The emulator's own core file, which is large, finds its place taken. Small stacks make a small file.
    std::fs::create_dir(bench.path("core")).unwrap();
    let mut emulator = Command::new("sh");
    emulator.args(["-c", r#"ulimit -s 1024 -c unlimited; exec "$@""#, "sh"]);
    emulator.args(["qemu-aarch64", "-L", LIBRARIES]).arg(&built);
    emulator.args(["mutex", "3"]).current_dir(bench.path("."));
    let stuck = Stuck::start(&mut emulator);
    // Threads of the emulator wait as those of the program do.
    let began = std::time::Instant::now();
    while waiting(stuck.pid) < 3 {
        assert!(began.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let pid = stuck.pid.cast_signed();
    // SAFETY: a signal to a child that has not been waited for.
    unsafe { libc::kill(pid, libc::SIGABRT) };
    drop(stuck);
    let files = std::fs::read_dir(bench.path(".")).unwrap().flatten();
    let mut files = files.map(|it| it.path());
    files.find(|it| {
        let name = it.file_name().unwrap().to_string_lossy();
        name.starts_with("qemu_hung_on_arm") && name.ends_with(".core")
    })
}

/// How many threads of the process wait for a futex word without a deadline.
fn waiting(pid: u32) -> usize {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let calls = threads.flatten().map(|it| it.path().join("syscall"));
    let calls = calls.filter_map(|it| std::fs::read_to_string(it).ok());
    let number = libc::SYS_futex.to_string();
    calls
        .filter(|call| {
            let words: Vec<&str> = call.split(' ').collect();
            // FUTEX_WAIT for a mutex that threads wait for.
            words[0] == number && words.get(3) == Some(&"0x2") && words.get(4) == Some(&"0x0")
        })
        .count()
}

#[test]
fn a_core_file_of_aarch64_shows_the_ring() {
    let bench = Bench::new();
    let Some(core) = core_of_aarch64(&bench) else {
        return;
    };
    let output = look(&bench, &core);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        numbers(&document["deadlocks"][0]["threads"]).len(),
        3,
        "{document:#}"
    );
    let notes = document["notes"].to_string();
    assert!(
        notes.contains("this core file is of an aarch64 process"),
        "{notes}"
    );
    // The stacks lead through the C library and the program to the beginning of the threads.
    for thread in document["threads"].as_array().unwrap() {
        let depth = thread["stack"].as_array().unwrap().len();
        assert!(depth > 3, "{thread:#}");
    }
}

#[test]
fn another_file_is_not_a_core_file() {
    let bench = Bench::new();
    let built = program(&bench);
    let output = look(&bench, &built);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("is not a core file; accepted: a core file of Linux"),
        "{said}"
    );
}
