//! Several processes at once: those that are named, those that they start, and a control group.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::watched::{LOCKTOLL, built, folder, has_function, lock, source, text, waited_ns};

/// As long as anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many waits there are in each process (`family_waits.c`).
const ROUNDS: u64 = 5;

fn program(folder: &tempfile::TempDir) -> Option<PathBuf> {
    let mut compiler = Command::new("cc");
    compiler
        .args(["-g", "-O1", "-pthread"])
        .arg(source("family_waits.c"));
    built(&compiler, &folder.path().join("family_waits"))
}

/// A running `family_waits`; killed with this value.
struct Family {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Family {
    fn start(program: &Path) -> Self {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(output.next().unwrap().unwrap(), "ready");
        Self {
            child,
            input,
            output,
        }
    }

    /// Lets it work; what its processes waited, nanoseconds: the first and the one it forked, and the stranger.
    fn work(&mut self) -> (u64, u64) {
        self.input.write_all(b"\n").unwrap();
        let mut sums = (0, 0);
        for line in &mut self.output {
            let line = line.unwrap();
            let Some((name, ns)) = line.split_once(' ') else {
                assert_eq!(line, "done");
                return sums;
            };
            let ns: u64 = ns.parse().unwrap();
            match name {
                "family" => sums.0 += ns,
                _ => sums.1 += ns,
            }
        }
        panic!("it ended before it was done");
    }

    fn end(mut self) {
        self.input.write_all(b"\n").unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A running `locktoll attach`.
struct Attached {
    child: Child,
    errors: BufReader<ChildStderr>,
}

impl Attached {
    /// Begins; `None`, and the test is skipped, if it is not possible here.
    fn begin(words: &[&str]) -> Option<Self> {
        let mut child = Command::new(LOCKTOLL)
            .args(["attach", "--json"])
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains("Ctrl-C prints the results so far") {
            if errors.read_line(&mut said).unwrap() == 0 {
                assert_eq!(child.wait().unwrap().code(), Some(3), "{said}");
                locktoll_needs::refused(&said);
                return None;
            }
        }
        Some(Self { child, errors })
    }

    /// Waits until it has opened `file`, which it does with the code of each process that it takes in.
    fn has_opened(&self, file: &Path) {
        let folder = format!("/proc/{}/fd", self.child.id());
        let end = Instant::now() + PATIENCE;
        let is_open = || {
            let links = fs::read_dir(&folder).unwrap().flatten();
            let mut links = links.filter_map(|it| fs::read_link(it.path()).ok());
            links.any(|link| link == file)
        };
        while !is_open() {
            assert!(Instant::now() < end, "{} is not opened", file.display());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it, as Ctrl-C does, which shells have their background jobs ignore.
    fn interrupt(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    /// The profile, and what else was said, once it has ended.
    fn profile(self) -> (Value, String) {
        let Self { child, mut errors } = self;
        // Both at once: it waits while a pipe is full.
        let errors = std::thread::spawn(move || {
            let mut said = String::new();
            errors.read_to_string(&mut said).unwrap();
            said
        });
        let output = child.wait_with_output().unwrap();
        let errors = errors.join().unwrap();
        assert!(output.status.success(), "{errors}");
        let profile = serde_json::from_str(&text(&output.stdout)).unwrap();
        (profile, errors)
    }
}

/// The waits for this lock: how many, in how many processes, and about as long as the waiters measured.
#[track_caller]
fn assert_waits(profile: &Value, name: &str, processes: u64, measured_ns: u64) {
    let lock = lock(profile, name);
    assert_eq!(lock["contended"], processes * ROUNDS, "{lock:#}");
    assert_eq!(lock["instances"], processes, "{lock:#}");
    // They read the clock around the call, which begins to wait after some spinning: no more than that, and not much less.
    let seen = waited_ns(lock);
    let bounds = measured_ns / 2..=measured_ns;
    assert!(bounds.contains(&seen), "{seen} of {measured_ns}");
    let holders: std::collections::BTreeSet<_> = lock["blame"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["holder_thread"]["tid"].as_u64())
        .collect();
    assert_eq!(holders.len() as u64, processes, "{lock:#}");
}

#[test]
fn what_a_process_starts_is_watched_and_what_that_becomes() {
    let folder = folder();
    let Some(program) = program(&folder) else {
        return;
    };
    let mut family = Family::start(&program);
    let id = family.child.id().to_string();
    let Some(attached) = Attached::begin(&[&id, "--children"]) else {
        return;
    };
    let (in_family, as_stranger) = family.work();
    family.end();
    // All have ended: nobody has to end it.
    let (profile, errors) = attached.profile();
    assert!(
        errors.contains("all watched processes have ended"),
        "{errors}"
    );
    assert_waits(&profile, "family_lock", 2, in_family);
    assert_waits(&profile, "stranger_lock", 1, as_stranger);
    let family_lock = lock(&profile, "family_lock");
    assert_eq!(family_lock["sites"].as_array().unwrap().len(), 1);
    assert!(has_function(
        family_lock,
        "sites",
        "frames",
        "in_the_family"
    ));
    let stranger_lock = lock(&profile, "stranger_lock");
    assert!(has_function(
        stranger_lock,
        "sites",
        "frames",
        "as_a_stranger"
    ));

    let processes = profile["processes"].as_array().unwrap();
    let of = |command: &str| {
        let named = processes.iter().filter(|it| it["command"][1] == command);
        named
            .map(|it| it["pid"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    // One entry for each program that a process was: the stranger was a copy of its parent first.
    assert_eq!(processes.len(), 4, "{processes:#?}");
    let stranger = of("stranger");
    let same = processes.iter().filter(|it| it["pid"] == stranger[0]);
    assert_eq!((stranger.len(), same.count()), (1, 2));
    let first: u64 = id.parse().unwrap();
    assert!(
        processes
            .iter()
            .all(|it| it["pid"] == first || it["parent_pid"] == first)
    );
    assert!(processes.iter().all(|it| it["user_ns"].is_u64()));
}

#[test]
fn processes_that_are_named_are_watched_together_and_others_are_said_not_to_be() {
    let folder = folder();
    let Some(program) = program(&folder) else {
        return;
    };
    let mut families = [Family::start(&program), Family::start(&program)];
    let [one, other] = [0, 1].map(|at: usize| families[at].child.id().to_string());
    // Twice the same is once.
    let Some(attached) = Attached::begin(&[&one, &other, &one]) else {
        return;
    };
    for family in &mut families {
        family.work();
    }
    attached.interrupt();
    let (profile, _) = attached.profile();
    let lock = lock(&profile, "family_lock");
    assert_eq!(lock["contended"], 2 * ROUNDS);
    assert_eq!(lock["instances"], 2);
    assert_eq!(profile["processes"].as_array().unwrap().len(), 2);
    let names = profile["locks"].as_array().unwrap();
    assert!(names.iter().all(|it| it["name"] != "stranger_lock"));
    let warnings = profile["warnings"].to_string();
    assert!(
        warnings.contains("4 processes were started during the watch and not watched"),
        "{warnings}"
    );
    families.into_iter().for_each(Family::end);
}

/// A control group of our own; removed with this value.
struct Group(PathBuf);

impl Group {
    /// `None`, and the test is skipped, where none can be made.
    fn new() -> Option<Self> {
        let name = format!("locktoll-test-{}", std::process::id());
        let mounts = [
            "/sys/fs/cgroup/unified",
            "/sys/fs/cgroup/pids",
            "/sys/fs/cgroup",
        ];
        let folders = mounts.iter().map(|mount| Path::new(mount).join(&name));
        for folder in folders {
            if fs::create_dir(&folder).is_ok() {
                if folder.join("cgroup.procs").exists() {
                    return Some(Self(folder));
                }
                let _ = fs::remove_dir(folder);
            }
        }
        locktoll_needs::refused("no control group can be made here");
        None
    }

    fn add(&self, family: &Family) {
        fs::write(self.0.join("cgroup.procs"), family.child.id().to_string()).unwrap();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The kernel keeps it until the last process in it has been taken note of.
        let end = Instant::now() + PATIENCE;
        while fs::remove_dir(&self.0).is_err() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn processes_that_join_a_control_group_are_watched_from_then_on() {
    let folder = folder();
    let (Some(program), Some(group)) = (program(&folder), Group::new()) else {
        return;
    };
    let path = group.0.to_str().unwrap();
    let refused = Command::new(LOCKTOLL)
        .args(["attach", "--cgroup", path])
        .output()
        .unwrap();
    let errors = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{errors}");
    assert!(
        errors.contains("no process that can be watched"),
        "{errors}"
    );

    let mut first = Family::start(&program);
    group.add(&first);
    let Some(attached) = Attached::begin(&["--cgroup", path]) else {
        return;
    };
    let copy = folder.path().join("latecomer");
    fs::copy(&program, &copy).unwrap();
    let mut latecomer = Family::start(&copy);
    group.add(&latecomer);
    attached.has_opened(&copy);
    first.work();
    latecomer.work();
    first.end();
    latecomer.end();
    attached.interrupt();
    let (profile, _) = attached.profile();
    for name in ["family_lock", "stranger_lock"] {
        let locks = profile["locks"].as_array().unwrap().iter();
        let both: Vec<_> = locks
            .filter(|it| it["name"].as_str().unwrap().contains(name))
            .collect();
        let contended: u64 = both
            .iter()
            .map(|it| it["contended"].as_u64().unwrap())
            .sum();
        // Two files, two locks, each in two processes or in one.
        let processes = if name == "family_lock" { 4 } else { 2 };
        assert_eq!((both.len(), contended), (2, processes * ROUNDS), "{name}");
    }
}
