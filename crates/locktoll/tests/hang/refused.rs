//! Processes that cannot be looked at: one line each, with the remedy.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::bench::{Bench, text};
use crate::program::{Stuck, look, may_trace, program};

fn refusal(bench: &Bench, pid: u32) -> String {
    let output = look(bench, pid);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    let said = text(&output.stderr);
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

#[test]
fn a_process_that_is_not_there_or_has_ended_is_refused() {
    let bench = Bench::new();
    assert!(refusal(&bench, 1 << 23).contains("no process has the id 8388608; accepted: "));
    let mut child = Command::new("true").spawn().unwrap();
    let stat = format!("/proc/{}/stat", child.id());
    while !std::fs::read_to_string(&stat).unwrap().contains(") Z ") {
        std::thread::yield_now();
    }
    assert!(refusal(&bench, child.id()).contains("has ended"));
    child.wait().unwrap();
}

#[test]
fn a_kernel_thread_is_refused() {
    let bench = Bench::new();
    // In a pid namespace of its own, a container sees none.
    if !std::fs::read_to_string("/proc/2/comm").is_ok_and(|comm| comm == "kthreadd\n") {
        return locktoll_needs::refused("a kernel thread");
    }
    assert!(refusal(&bench, 2).contains("is a kernel thread"));
}

#[test]
fn a_process_that_a_debugger_has_is_refused_with_its_name() {
    if !may_trace() || !locktoll_needs::programs(&["gdb"]) {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "mutex", 2);
    let mut gdb = Command::new("gdb")
        .args(["-nx", "-q", "-p", &stuck.pid.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut typed = gdb.stdin.take().unwrap();
    typed.write_all(b"echo \\nattached\\n\n").unwrap();
    let mut lines = BufReader::new(gdb.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("attached")));
    let said = refusal(&bench, stuck.pid);
    assert!(
        said.contains("is already traced by process") && said.contains("(gdb)"),
        "{said}"
    );
    typed.write_all(b"detach\nquit\n").unwrap();
    drop(typed);
    drop(lines);
    gdb.wait().unwrap();
}

#[test]
fn a_process_of_another_user_is_refused_with_the_remedy() {
    // SAFETY: it has no preconditions.
    if unsafe { libc::geteuid() } != 0 || !locktoll_needs::programs(&["setpriv"]) {
        return locktoll_needs::refused("another user's process");
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "mutex", 2);
    // That user may not be able to reach the folder in which the binary was built.
    let folder = tempfile::tempdir().unwrap();
    let everyone = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path(), everyone).unwrap();
    let binary = folder.path().join("locktoll");
    std::fs::copy(env!("CARGO_BIN_EXE_locktoll"), &binary).unwrap();
    let as_other = |words: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]);
        command.arg(&binary).args(words).output().unwrap()
    };
    if !as_other(&["--version"]).status.success() {
        return locktoll_needs::refused(
            "a temporary folder from which another user can run a binary",
        );
    }
    let output = as_other(&["hang", &stuck.pid.to_string()]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains("belongs to user 0") && said.contains("sudo"),
        "{said}"
    );
}

#[test]
fn a_process_in_another_pid_namespace_is_seen_by_the_ids_of_this_one() {
    // SAFETY: it has no preconditions.
    if unsafe { libc::geteuid() } != 0 || !locktoll_needs::programs(&["unshare"]) {
        return locktoll_needs::refused("another pid namespace");
    }
    let bench = Bench::new();
    let built = program(&bench);
    let mut command = Command::new("unshare");
    command.args(["--pid", "--fork", "--kill-child", "--"]);
    let stuck = Stuck::start(command.arg(built).args(["mutex", "2"]));
    assert_eq!(stuck.pid, 1, "it is the first process there");
    let unshare = stuck.started().to_string();
    let children = std::fs::read_to_string(format!("/proc/{unshare}/task/{unshare}/children"));
    let pid: u32 = children.unwrap().trim().parse().unwrap();
    let stuck_here = crate::program::until(&bench, pid, "mutex", 2);
    assert_eq!(stuck_here.0.status.code(), Some(1), "{:#}", stuck_here.1);
    let threads = crate::program::numbers(&stuck_here.1["deadlocks"][0]["threads"]);
    let folder = format!("/proc/{pid}/task");
    for thread in threads {
        assert!(
            std::path::Path::new(&folder)
                .join(thread.to_string())
                .exists()
        );
    }
}

#[test]
fn wrong_words_are_refused_before_anything_is_looked_at() {
    let bench = Bench::new();
    for words in [
        &["hang"][..],
        &["hang", "0"],
        &["hang", "x"],
        &["hang", "1", "--core", "x"],
        &["hang", "1", "--watch", "5"],
        &["hang", "1", "--watch", "1s", "-o", "x.json"],
        &["hang", "--core", "/nonexistent"],
    ] {
        let output = bench.locktoll().args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let said = text(&output.stderr);
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
