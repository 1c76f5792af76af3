//! `snapshot` of programs in other pid namespaces, whose own process ids mean other processes here.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::bench::Bench;
use crate::steps::{Steps, taken};

/// Runs its last argument as a child with the process id `$0` in a namespace of its own, and goes on after that has ended.
const INSIDE: &str = r#"echo $(($0 - 1)) > /proc/sys/kernel/ns_last_pid && "$1"; read end; exit 0"#;

/// The program under the recorder, with this process id in its namespace.
fn steps(bench: &Bench, own: u32) -> Option<Steps> {
    if !locktoll_needs::programs(&["unshare"]) {
        return None;
    }
    let made = Command::new("unshare")
        .args([
            "--pid",
            "--fork",
            "--mount-proc",
            "sh",
            "-c",
            INSIDE,
            &own.to_string(),
            "true",
        ])
        .output()
        .unwrap();
    if !made.status.success() {
        locktoll_needs::refused("no pid namespace with chosen ids can be made here");
        return None;
    }
    let own = own.to_string();
    let inside = [
        "unshare",
        "--pid",
        "--fork",
        "--mount-proc",
        "--kill-child",
        "sh",
        "-c",
        INSIDE,
        &own,
    ];
    Some(Steps::start_inside(bench, &inside))
}

/// The ids here of the programs of this name that a process has started, and of those that these have started.
fn below(pid: u32, name: &str) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let children = children.unwrap_or_default();
    let mut found = Vec::new();
    for child in children
        .split_ascii_whitespace()
        .map(|it| it.parse().unwrap())
    {
        let comm = fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
        found.extend((comm.trim_end() == name).then_some(child));
        found.extend(below(child, name));
    }
    found
}

/// How many processes of the program a snapshot has.
fn programs(profile: &Value) -> usize {
    let processes = profile["processes"].as_array().unwrap();
    let is_program = |it: &&Value| {
        let command = it["command"][0].as_str();
        command.is_some_and(|it| it.ends_with("/steps"))
    };
    processes.iter().filter(is_program).count()
}

#[test]
fn a_program_whose_own_id_nobody_has_here_goes_on() {
    let bench = Bench::new();
    let mut gone = Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let Some(mut steps) = steps(&bench, gone.id()) else {
        return;
    };
    steps.step("step");
    let pid = below(steps.recorder.id(), "steps")[0].to_string();
    assert_eq!(programs(&taken(&bench, &pid, "1.locktoll", &[])), 1);
    // Nothing has happened since, but it runs.
    assert_eq!(programs(&taken(&bench, &pid, "2.locktoll", &[])), 1);
    steps.end();
}

#[test]
fn a_program_that_was_killed_has_ended_even_if_another_has_its_own_id_here() {
    let bench = Bench::new();
    let Some(mut steps) = steps(&bench, std::process::id()) else {
        return;
    };
    steps.step("step");
    let pid = below(steps.recorder.id(), "steps")[0];
    assert_eq!(
        programs(&taken(&bench, &pid.to_string(), "1.locktoll", &[])),
        1
    );
    // SAFETY: its parent waits for it only after its end.
    assert_eq!(unsafe { libc::kill(pid as i32, libc::SIGKILL) }, 0);
    while fs::exists(format!("/proc/{pid}")).unwrap() {
        std::thread::yield_now();
    }
    let of_shell = below(steps.recorder.id(), "sh")[0].to_string();
    assert_eq!(programs(&taken(&bench, &of_shell, "2.locktoll", &[])), 0);
    steps.end();
}
