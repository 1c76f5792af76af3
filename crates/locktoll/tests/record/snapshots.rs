//! `snapshot` of a program that goes on: what the snapshots have adds up to the recording, and the program does not notice them.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;

use serde_json::Value;

use crate::bench::{Bench, number, text};
use crate::steps::{Steps, snapshot, taken};

/// Of each step (`steps.c`): acquisitions of `steps_lock`, and of the mutexes that are made and destroyed.
const OF_STEPS_LOCK: u64 = 1000;
const OF_BORN: u64 = 300;

/// The sum of a figure over all rows with this name: there is one row for each place in the program that makes such locks.
fn sum(profile: &Value, name: &str, figure: &str) -> u64 {
    let rows = profile["locks"].as_array().unwrap().iter();
    let named = rows.filter(|it| it["name"].as_str().unwrap().contains(name));
    named
        .map(|it| it.pointer(figure).and_then(Value::as_u64).unwrap_or(0))
        .sum()
}

/// The figures that are sums of counters, by a name for messages.
fn figures(profile: &Value) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    for name in ["steps_lock", "born_and_gone"] {
        for figure in [
            "/acquisitions",
            "/contended",
            "/wait_ns/total",
            "/hold_ns/total",
            "/hold_ns/sampled",
            "/instances",
        ] {
            // A lock that lives through several snapshots is one instance in each.
            if figure != "/instances" || name != "steps_lock" {
                all.push((format!("{name}{figure}"), sum(profile, name, figure)));
            }
        }
    }
    let list = |lock: &Value, list: &str, figure: &str| {
        let rows = lock[list].as_array().into_iter().flatten();
        rows.map(|it| it[figure].as_u64().unwrap()).sum::<u64>()
    };
    for lock in profile["locks"].as_array().unwrap() {
        if lock["name"] == "steps_lock" {
            all.push(("blame".to_owned(), list(lock, "blame", "wait_ns")));
            all.push(("stacks".to_owned(), list(lock, "stacks", "wait_ns")));
            for (bucket, count) in lock["wait_ns"]["log2"]
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
            {
                all.push((format!("bucket {bucket}"), count.as_u64().unwrap()));
            }
        }
    }
    all
}

/// Adds up figures by their names.
fn added(all: &[Vec<(String, u64)>]) -> Vec<(String, u64)> {
    let mut sums = std::collections::BTreeMap::new();
    for (name, figure) in all.iter().flatten() {
        *sums.entry(name.clone()).or_insert(0) += figure;
    }
    sums.into_iter().filter(|(_, sum)| *sum > 0).collect()
}

#[test]
fn snapshots_add_up_to_the_recording() {
    let bench = Bench::new();
    let mut steps = Steps::start(&bench, &["--live"]);
    let pid = steps.pid();
    let recorder = steps.recorder.id().to_string();

    steps.step("step");
    let first = taken(&bench, &pid, "first.locktoll", &[]);
    assert_eq!(sum(&first, "steps_lock", "/acquisitions"), OF_STEPS_LOCK);
    assert_eq!(sum(&first, "born_and_gone", "/acquisitions"), OF_BORN);

    steps.step("step");
    steps.step("thread");
    // By the recorder's process id: the same recording, and the same state.
    let second = taken(&bench, &recorder, "second.locktoll", &[]);
    assert_eq!(
        sum(&second, "steps_lock", "/acquisitions"),
        2 * OF_STEPS_LOCK
    );
    assert_eq!(sum(&second, "born_and_gone", "/acquisitions"), 2 * OF_BORN);
    assert!(sum(&second, "steps_lock", "/contended") >= 2);

    let nothing = taken(&bench, &pid, "nothing.locktoll", &[]);
    assert_eq!(sum(&nothing, "steps_lock", "/acquisitions"), 0);
    assert_eq!(nothing["locks"].as_array().unwrap().len(), 0, "{nothing:#}");

    steps.step("fork");
    let everything = taken(&bench, &pid, "everything.locktoll", &["--since-start"]);
    let last = taken(&bench, &pid, "last.locktoll", &[]);
    // The child began and ended between two snapshots.
    assert_eq!(sum(&last, "steps_lock", "/acquisitions"), OF_STEPS_LOCK);
    assert_eq!(last["processes"].as_array().unwrap().len(), 2);
    steps.end();

    let whole = bench.profile("out.locktoll");
    assert_eq!(
        sum(&whole, "steps_lock", "/acquisitions"),
        4 * OF_STEPS_LOCK
    );
    let pieces = added(&[&first, &second, &nothing, &last].map(figures));
    assert_eq!(pieces, added(&[figures(&whole)]));
    assert_eq!(added(&[figures(&everything)]), added(&[figures(&whole)]));

    // The time of each begins where that of the one before ended.
    let span = |profile: &Value| number(profile, "/duration_ns");
    let spans = span(&first) + span(&second) + span(&nothing) + span(&last);
    // If one began earlier, they would be longer together than the whole.
    assert!(spans <= span(&whole), "{spans}");

    // Two of them are compared like any recordings.
    let mut command = bench.locktoll();
    let out = command
        .args(["compare", "first.locktoll", "second.locktoll", "--json"])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let compared: Value = serde_json::from_slice(&out.stdout).unwrap();
    let rows = compared["rows"].as_array().unwrap();
    let row = rows
        .iter()
        .any(|it| it["key"].to_string().contains("steps_lock"));
    assert!(row, "{compared:#}");
}

#[test]
fn a_name_is_chosen_that_is_free() {
    let bench = Bench::new();
    let mut steps = Steps::start(&bench, &[]);
    let pid = steps.pid();
    for name in [
        format!("snapshot-{pid}.locktoll"),
        format!("snapshot-{pid}-2.locktoll"),
    ] {
        steps.step("step");
        let out = snapshot(&bench, &[&pid]);
        assert!(text(&out.stderr).contains(&name), "{}", text(&out.stderr));
        let profile = bench.profile(&name);
        assert_eq!(sum(&profile, "steps_lock", "/acquisitions"), OF_STEPS_LOCK);
    }
    steps.end();
}

#[test]
fn what_could_not_be_written_is_in_the_next_snapshot() {
    let bench = Bench::new();
    let mut steps = Steps::start(&bench, &["--live"]);
    let pid = steps.pid();
    steps.step("step");
    for place in ["nowhere/a.locktoll", "/dev/full", "."] {
        let refused = snapshot(&bench, &[&pid, "-o", place]);
        assert_eq!(
            refused.status.code(),
            Some(2),
            "{place}: {}",
            text(&refused.stderr)
        );
        assert_eq!(text(&refused.stderr).lines().count(), 1);
    }
    let profile = taken(&bench, &pid, "a.locktoll", &[]);
    assert_eq!(sum(&profile, "steps_lock", "/acquisitions"), OF_STEPS_LOCK);
    steps.end();
}

/// The folder of the recording in progress.
fn folder(bench: &Bench) -> PathBuf {
    let entries = fs::read_dir(bench.path("")).unwrap().flatten();
    let mut paths = entries.map(|it| it.path());
    paths
        .find(|it| it.to_string_lossy().contains(".parts-"))
        .unwrap()
}

#[test]
fn the_state_is_private_and_a_state_that_others_could_write_is_refused() {
    let bench = Bench::new();
    let mut steps = Steps::start(&bench, &["--live"]);
    let pid = steps.pid();
    steps.step("step");
    taken(&bench, &pid, "a.locktoll", &[]);
    let state = folder(&bench).join("snapshot/reported.locktoll");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(&state), mode(state.parent().unwrap())),
        (0o600, 0o700)
    );

    let set = |path: &std::path::Path, mode| {
        fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    };
    let parts = folder(&bench);
    for (path, usual) in [
        (&state, 0o600),
        (&state.parent().unwrap().to_owned(), 0o700),
        (&parts, 0o700),
    ] {
        set(path, usual | 0o022);
        let refused = snapshot(&bench, &[&pid]);
        let errors = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(3), "{errors}");
        assert!(errors.contains("can be written by other users"), "{errors}");
        set(path, usual);
    }
    fs::write(&state, "no recording").unwrap();
    let refused = snapshot(&bench, &[&pid]);
    let errors = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{errors}");
    assert!(errors.contains("remove it"), "{errors}");
    fs::remove_file(&state).unwrap();
    let again = taken(&bench, &pid, "again.locktoll", &[]);
    assert_eq!(sum(&again, "steps_lock", "/acquisitions"), OF_STEPS_LOCK);
    steps.end();
    // With the recording, the state goes.
    assert!(!parts.exists());
}

/// Root uses the state of the recording's owner, with the owner's rights; other users see nothing.
#[test]
fn root_takes_snapshots_of_other_users_programs_and_other_users_do_not() {
    let bench = Bench::new();
    let (owner, other) = (65_533, 65_532);
    let top = bench.path("");
    fs::set_permissions(&top, PermissionsExt::from_mode(0o755)).unwrap();
    if chown(&top, Some(owner), Some(owner)).is_err() {
        locktoll_needs::refused("this user cannot act as another");
        return;
    }
    let mut command = bench.locktoll();
    command.uid(owner).gid(owner);
    let mut steps = Steps::start_by(&bench, command, &["--live"]);
    let pid = steps.pid();
    steps.step("step");
    let own = fs::canonicalize(&top).unwrap().join("of-root.locktoll");
    let own = own.to_str().unwrap();
    let profile = taken(&bench, &pid, own, &[]);
    assert_eq!(sum(&profile, "steps_lock", "/acquisitions"), OF_STEPS_LOCK);
    assert_eq!(fs::metadata(own).unwrap().uid(), 0);
    let state = folder(&bench).join("snapshot/reported.locktoll");
    assert_eq!(fs::metadata(&state).unwrap().uid(), owner);

    let as_user = |user: u32, words: &[&str]| {
        let mut command = bench.locktoll();
        command.uid(user).gid(user);
        command.arg("snapshot").args(words).output().unwrap()
    };
    let elsewhere = tempfile::tempdir().unwrap();
    chown(elsewhere.path(), Some(other), Some(other)).unwrap();
    let file = elsewhere.path().join("a.locktoll");
    let refused = as_user(other, &[&pid, "-o", file.to_str().unwrap()]);
    let errors = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{errors}");
    assert!(errors.contains(&format!("process {pid}")), "{errors}");
    assert!(!file.exists());
    // The owner goes on where root left off.
    steps.step("step");
    let out = as_user(owner, &[&pid, "-o", "of-owner.locktoll"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let profile = bench.profile("of-owner.locktoll");
    assert_eq!(sum(&profile, "steps_lock", "/acquisitions"), OF_STEPS_LOCK);
    let parts = folder(&bench);
    steps.end();
    assert!(!parts.exists(), "its owner could remove all of it");
}

#[test]
fn one_snapshot_of_a_recording_is_taken_at_a_time() {
    let bench = Bench::new();
    let steps = Steps::start(&bench, &["--live"]);
    let pid = steps.pid();
    let part = folder(&bench).join(format!("{pid}-0.part"));
    let held = fs::File::open(part).unwrap();
    held.lock().unwrap();
    let refused = snapshot(&bench, &[&pid]);
    let errors = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{errors}");
    assert!(errors.contains("another snapshot"), "{errors}");
    drop(held);
    taken(&bench, &pid, "a.locktoll", &[]);
    steps.end();
}

#[test]
fn processes_without_a_recording_are_refused_in_one_line() {
    let bench = Bench::new();
    let own = std::process::id().to_string();
    for (words, code, says) in [
        (
            &[own.as_str()][..],
            3,
            "start the program with `locktoll record --live",
        ),
        (&["999999999"], 3, "does not exist"),
        (&["0"], 2, "is not a process id"),
        (&["x"], 2, "is not a process id"),
        (&[], 2, "needs <PID>"),
    ] {
        let refused = snapshot(&bench, words);
        let errors = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{errors}");
        assert!(errors.contains(says), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    assert_eq!(
        fs::read_dir(bench.path("")).unwrap().count(),
        0,
        "nothing is left"
    );
}

/// With `--live`, the part does not grow with each thread, and all that they acquired is counted.
#[test]
fn the_lives_of_few_threads_are_kept_and_the_acquisitions_of_all() {
    let bench = Bench::new();
    let mut steps = Steps::start(&bench, &["--live"]);
    let pid = steps.pid();
    for _ in 0..20 {
        steps.step("thread");
    }
    taken(&bench, &pid, "a.locktoll", &[]);
    steps.step("thread");
    let piece = taken(&bench, &pid, "b.locktoll", &[]);
    assert_eq!(sum(&piece, "steps_lock", "/acquisitions"), OF_STEPS_LOCK);
    steps.end();
    let whole = bench.profile("out.locktoll");
    assert_eq!(
        sum(&whole, "steps_lock", "/acquisitions"),
        21 * OF_STEPS_LOCK
    );
    // The first thread, and three slots at most at any time with two lives each; 42 were started.
    let kept = whole["per_thread"].as_array().unwrap().len() as u64;
    let left_out = number(&whole, "/dropped/threads") as u64;
    assert!((3..=7).contains(&kept), "{kept}");
    assert_eq!(kept + left_out, 43);
    // The time of all threads is known.
    let process = |name: &str| whole["processes"][0][name].as_u64().unwrap();
    assert_eq!(process("unlisted_threads"), left_out);
    let lives = whole["per_thread"].as_array().unwrap().iter();
    let listed_ns: u64 = lives.map(|it| it["duration_ns"].as_u64().unwrap()).sum();
    let unlisted_ns = process("unlisted_ns");
    assert!(unlisted_ns > 0);
    assert_eq!(whole["thread_time_ns"], listed_ns + unlisted_ns);
}
