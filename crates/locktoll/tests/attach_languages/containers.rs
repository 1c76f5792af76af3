//! Containers: control groups and namespaces that the test makes itself, with the names that engines give to them.

use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::family::{Attached, Family, ROUNDS, program};
use crate::group::Group;
use crate::watched::{LOCKTOLL, folder, has_function, lock, text};

/// An id that no container on this machine has, since it is made of our own process id and the number of the test. Two ids of one
/// test begin with the same twelve digits.
fn id(test: u32, number: u32) -> String {
    let digits = format!("{test:04x}{:08x}{number:04x}", std::process::id());
    digits.repeat(4)
}

/// A group as Docker makes it under systemd, and its id.
fn container(test: u32, number: u32) -> Option<(Group, String)> {
    let id = id(test, number);
    let group = Group::of_version_2(&format!("docker-{id}.scope"))?;
    Some((group, id))
}

/// Starts in namespaces of its own, in which a file system that nobody else sees has the only copy of the program.
const INSIDE: &str = r#"
echo $$ > "$0/cgroup.procs" &&
exec unshare --pid --fork --mount --mount-proc --kill-child sh -c '
    mount -t tmpfs none "$1" && cp "$0" "$1/only_inside" && exec "$1/only_inside"' "$1" "$2""#;

#[test]
fn a_container_in_other_namespaces_is_found_by_its_id_and_its_functions_have_names() {
    let folder = folder();
    let inside = folder.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    if !locktoll_needs::programs(&["unshare"]) {
        return;
    }
    let (Some(program), Some((group, id))) = (program(&folder), container(1, 0)) else {
        return;
    };
    let mut start = Command::new("sh");
    start
        .args(["-c", INSIDE])
        .arg(group.folder())
        .arg(&program)
        .arg(&inside);
    let Some(mut family) = Family::start_by(&mut start) else {
        locktoll_needs::refused("no namespaces can be made here");
        return;
    };
    // Outside there is no such file, so every name was found in the process's own view.
    std::fs::remove_file(&program).unwrap();
    assert_eq!(std::fs::read_dir(&inside).unwrap().count(), 0);
    let Some(attached) = Attached::begin(&["--container", &id[..12]]) else {
        return;
    };
    family.work();
    family.end();
    let (profile, _) = attached.profile();
    for (name, function, processes) in [
        ("family_lock", "in_the_family", 2),
        ("stranger_lock", "as_a_stranger", 1),
    ] {
        let lock = lock(&profile, name);
        assert_eq!(lock["contended"], processes * ROUNDS, "{lock:#}");
        assert!(has_function(lock, "sites", "frames", function), "{lock:#}");
        assert!(has_function(lock, "blame", "waiter", function), "{lock:#}");
    }
    let processes = profile["processes"].as_array().unwrap();
    let paths: Vec<&str> = processes
        .iter()
        .filter_map(|it| it["command"][0].as_str())
        .collect();
    assert!(
        paths.iter().any(|it| it.ends_with("only_inside")),
        "{paths:?}"
    );
}

/// A program that runs without end; killed with this value.
struct Busy(Child);

impl Busy {
    /// `place` is a group's file of processes, or nothing.
    fn start(place: &str) -> Self {
        let script = r#"if [ -n "$0" ]; then echo $$ > "$0"; fi; echo; while :; do :; done"#;
        let mut child = Command::new("sh")
            .args(["-c", script, place])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut begun = [0];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut begun).unwrap();
        Self(child)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The programs that one line of `top` shows.
fn programs_of_top(words: &[&str]) -> (Vec<u64>, Value) {
    let output = Command::new(LOCKTOLL)
        .args(["top", "--json", "--count", "1", "--interval", "300ms"])
        .args(words)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    let programs = line["programs"].as_array().unwrap();
    let pids = programs.iter().map(|it| it["pid"].as_u64().unwrap());
    (pids.collect(), line)
}

#[test]
fn top_shows_the_programs_of_a_group_and_no_others() {
    let Some((group, id)) = container(2, 0) else {
        return;
    };
    let procs = group.folder().join("cgroup.procs");
    let (inside, outside) = (Busy::start(procs.to_str().unwrap()), Busy::start(""));
    let (in_group, _) = programs_of_top(&["--container", &id]);
    assert_eq!(in_group, [u64::from(inside.0.id())]);
    let path = group.folder().to_str().unwrap();
    let (by_path, _) = programs_of_top(&["--cgroup", path]);
    assert_eq!(by_path, in_group);
    let (all, _) = programs_of_top(&[]);
    for pid in [&inside, &outside].map(|it| u64::from(it.0.id())) {
        assert!(all.contains(&pid), "{all:?}");
    }
    drop(inside);
    let (none, line) = programs_of_top(&["--cgroup", path]);
    assert_eq!(none, [0; 0]);
    let notes = line["notes"].to_string();
    assert!(notes.contains("has no process now"), "{line:#}");
}

#[test]
fn a_beginning_of_two_ids_and_an_unknown_name_are_refused_with_candidates() {
    let Some((one, _)) = container(3, 0) else {
        return;
    };
    let Some((other, _)) = container(3, 1) else {
        return;
    };
    let both = &id(3, 0)[..12];
    for verb in ["attach", "top", "kernel"] {
        let refusal = |asked: &str| {
            let output = Command::new(LOCKTOLL)
                .args([verb, "--container", asked])
                .output()
                .unwrap();
            let errors = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{errors}");
            assert_eq!(errors.lines().count(), 1, "{errors}");
            errors
        };
        let ambiguous = refusal(both);
        for group in [&one, &other] {
            let name = group.folder().file_name().unwrap().to_str().unwrap();
            assert!(ambiguous.contains(name), "{ambiguous}");
        }
        let unknown = refusal("no such container");
        assert!(
            unknown.contains("accepted: one that is running, such as "),
            "{unknown}"
        );
    }
}

#[test]
fn kernel_shows_the_waits_of_a_groups_threads() {
    let Some((group, id)) = container(4, 0) else {
        return;
    };
    // Both contend for the kernel's lock of one pipe, since each writes to it without end.
    let folder = folder();
    let pipe = folder.path().join("pipe");
    let writers = r#"
        if [ -n "$0" ]; then echo $$ > "$0/cgroup.procs"; fi
        mkfifo "$1" && { cat "$1" > /dev/null & }
        for _ in 1 2 3 4; do dd if=/dev/zero of="$1" bs=1 count=30000 2>/dev/null & done
        wait"#;
    let kernel = |place: &str| {
        let _ = std::fs::remove_file(&pipe);
        let output = Command::new(LOCKTOLL)
            .args(["kernel", "--json", "--container", &id, "--"])
            .args(["sh", "-c", writers, place])
            .arg(&pipe)
            .output()
            .unwrap();
        let errors = text(&output.stderr);
        if output.status.code() == Some(3) {
            locktoll_needs::refused(&errors);
            return None;
        }
        assert!(output.status.success(), "{errors}");
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(result["scope"], "control_group");
        Some(result["total"]["count"].as_u64().unwrap())
    };
    let Some(outside) = kernel("") else {
        return;
    };
    assert_eq!(outside, 0, "no thread was in the group");
    let inside = kernel(group.folder().to_str().unwrap());
    assert!(inside.is_some_and(|waits| waits > 0), "{inside:?}");
}
