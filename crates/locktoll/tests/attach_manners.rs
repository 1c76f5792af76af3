//! How `attach` begins and ends: its traces in the kernel, its privileges, and the users who can
//! run it.
//!
//! If the kernel does not run locktoll's programs, these tests are skipped.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const LOCKTOLL: &str = env!("CARGO_BIN_EXE_locktoll");

/// The user that owns nothing.
const NOBODY: &str = "65534";

/// As long as anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process that is killed at the end of its test.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Self {
        Self(command.spawn().expect("it starts"))
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.0);
        rustix::process::kill_process(pid, signal).expect("it runs");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn sleeper() -> Running {
    Running::start(Command::new("sleep").arg("600"))
}

fn attach(process: &Running) -> Command {
    attach_to(LOCKTOLL, process)
}

fn attach_to(locktoll: impl AsRef<std::ffi::OsStr>, process: &Running) -> Command {
    let mut command = Command::new(locktoll);
    command
        .args(["attach", &process.0.id().to_string(), "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits until it says that it watches; none, with the reason noted, where the kernel does not let it.
fn watching(command: &mut Command) -> Option<Running> {
    let mut running = Running::start(command);
    let mut said = String::new();
    let mut lines = BufReader::new(running.0.stderr.take().expect("a pipe"));
    while !said.contains("watching process") {
        if lines.read_line(&mut said).expect("text") == 0 {
            let status = running.0.wait().expect("it ends");
            assert_eq!(status.code(), Some(3), "{said}");
            locktoll_needs::refused(&said);
            return None;
        }
    }
    // Whatever else it says must not meet a closed pipe.
    std::thread::spawn(move || {
        let _ = lines.read_to_string(&mut String::new());
    });
    Some(running)
}

/// The rest of what it says once it ends.
fn ended(mut running: Running) -> (Option<i32>, String) {
    let mut out = String::new();
    let mut stdout = running.0.stdout.take().expect("a pipe");
    stdout.read_to_string(&mut out).expect("text");
    (running.0.wait().expect("it ends").code(), out)
}

fn is_profile(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text)
        .is_ok_and(|document| document["schema"] == "locktoll.profile/1")
}

/// The numbers of the kernel's programs that a process holds.
fn programs_of(process: u32) -> Vec<u32> {
    let Ok(folder) = fs::read_dir(format!("/proc/{process}/fdinfo")) else {
        return Vec::new();
    };
    let mut programs: Vec<u32> = folder
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok())
        .filter_map(|info| {
            let line = info
                .lines()
                .find_map(|line| line.strip_prefix("prog_id:"))?;
            line.trim().parse().ok()
        })
        .collect();
    programs.sort_unstable();
    programs.dedup();
    programs
}

fn still_loaded(programs: &[u32]) -> Vec<u32> {
    let loaded = aya::programs::loaded_programs().filter_map(Result::ok);
    loaded
        .map(|program| program.id())
        .filter(|id| programs.contains(id))
        .collect()
}

#[test]
fn nothing_stays_loaded_however_it_ends() {
    for signal in [rustix::process::Signal::KILL, rustix::process::Signal::INT] {
        let process = sleeper();
        let Some(watch) = watching(&mut attach(&process)) else {
            return;
        };
        let programs = programs_of(watch.0.id());
        assert!(programs.len() >= 7, "{programs:?}");
        assert_eq!(still_loaded(&programs).len(), programs.len());
        watch.signal(signal);
        drop(ended(watch));
        // The kernel frees them once nobody can be inside any more.
        let began = Instant::now();
        while !still_loaded(&programs).is_empty() {
            assert!(
                began.elapsed() < PATIENCE,
                "{signal:?}: {:?}",
                still_loaded(&programs)
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn control_c_prints_what_was_gathered() {
    let process = sleeper();
    let Some(watch) = watching(&mut attach(&process)) else {
        return;
    };
    watch.signal(rustix::process::Signal::INT);
    let (code, out) = ended(watch);
    assert_eq!(code, Some(0));
    assert!(is_profile(&out), "{out}");
}

#[test]
fn a_process_that_ends_meanwhile_is_told_of() {
    let process = Running::start(Command::new("sleep").arg("5"));
    let Some(watch) = watching(&mut attach(&process)) else {
        return;
    };
    drop(process);
    let (code, out) = ended(watch);
    assert_eq!(code, Some(0));
    assert!(is_profile(&out), "{out}");
}

#[test]
fn what_threads_used_that_have_ended_is_known() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = folder.path().join("short_lives");
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/programs/short_lives.c"
    );
    let mut compiler = Command::new("cc");
    compiler
        .args(["-O1", "-pthread", source, "-o"])
        .arg(&program);
    assert!(compiler.status().unwrap().success());
    let mut command = Command::new(&program);
    let mut process = Running::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
    let Some(watch) = watching(&mut attach(&process)) else {
        return;
    };
    use std::io::{Read, Write};
    writeln!(process.0.stdin.as_mut().expect("a pipe")).expect("it reads");
    let mut said = String::new();
    process
        .0
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    let used = said.lines().filter_map(|line| line.strip_prefix("used "));
    let used: Vec<u64> = used.map(|ns| ns.parse().unwrap()).collect();
    assert_eq!(used.len(), 3, "{said}");
    process.0.wait().unwrap();

    let (_, out) = ended(watch);
    let profile: serde_json::Value = serde_json::from_str(&out).unwrap();
    let threads = profile["per_thread"].as_array().unwrap();
    assert_eq!(threads.len(), 4, "{threads:#?}");
    let known = |thread: &serde_json::Value, name: &str| {
        thread[name]
            .as_u64()
            .unwrap_or_else(|| panic!("{name} of {thread:#}"))
    };
    let cpu_ns: u64 = threads.iter().map(|it| known(it, "cpu_ns")).sum();
    // The kernel knows to the tick what a thread that ends has used; and each does a little more than it can say itself.
    let said_ns: u64 = used.iter().sum();
    assert!(
        cpu_ns * 10 > said_ns * 9 && cpu_ns < said_ns * 2,
        "{cpu_ns} for {said_ns}: {threads:#?}"
    );
    for thread in threads {
        known(thread, "voluntary_switches");
        known(thread, "involuntary_switches");
    }
    assert!(
        profile["user_ns"].is_u64() && profile["voluntary_switches"].is_u64(),
        "{profile:#}"
    );
}

#[test]
fn a_process_that_becomes_another_program_ends_it() {
    let mut process = Running::start(
        Command::new("sh")
            .args(["-c", "read go; exec sleep 600"])
            .stdin(Stdio::piped()),
    );
    let Some(watch) = watching(&mut attach(&process)) else {
        return;
    };
    use std::io::Write;
    writeln!(process.0.stdin.as_mut().expect("a pipe")).expect("it reads");
    let (code, out) = ended(watch);
    assert_eq!(code, Some(0));
    assert!(is_profile(&out), "{out}");
}

/// The effective capabilities of a process.
fn effective(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    u64::from_str_radix(line.expect("a line").trim(), 16).expect("a number")
}

#[test]
fn what_is_not_needed_any_more_is_given_up() {
    let process = sleeper();
    let Some(watch) = watching(&mut attach(&process)) else {
        return;
    };
    // CAP_SYS_ADMIN, CAP_PERFMON, CAP_BPF: given up right after it says that it watches.
    let gone = 1 << 21 | 1 << 38 | 1 << 39;
    let began = Instant::now();
    while effective(watch.0.id()) & gone != 0 {
        assert!(began.elapsed() < PATIENCE, "{:x}", effective(watch.0.id()));
        std::thread::sleep(Duration::from_millis(20));
    }
    // What it does afterwards works without them.
    std::thread::sleep(Duration::from_millis(1500));
    watch.signal(rustix::process::Signal::INT);
    let (code, out) = ended(watch);
    assert_eq!(code, Some(0));
    assert!(is_profile(&out), "{out}");
}

/// Our program where everybody may run it.
fn for_everybody(folder: &Path) -> std::path::PathBuf {
    let program = folder.join("locktoll");
    fs::copy(LOCKTOLL, &program).expect("a copy");
    for path in [folder, &program] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("ours");
    }
    program
}

/// `command` as nobody, with these capabilities.
fn as_nobody(command: &Command, capabilities: &str) -> Command {
    let mut other = Command::new("setpriv");
    other
        .args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"])
        .args(["--bounding-set", "-all,+bpf,+perfmon"])
        .args(["--inh-caps", capabilities, "--ambient-caps", capabilities])
        .arg(command.get_program())
        .args(command.get_args())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    other
}

/// Whether we may become nobody; the test is skipped if not.
fn may_become_nobody() -> bool {
    if !locktoll_needs::programs(&["setpriv"]) {
        return false;
    }
    let tried = as_nobody(Command::new("true").arg(""), "-all").output();
    let may = tried.as_ref().is_ok_and(|output| output.status.success());
    if !may {
        locktoll_needs::refused("this user cannot become nobody by setpriv");
    }
    may
}

#[test]
fn two_capabilities_are_enough_for_ones_own_processes() {
    if !may_become_nobody() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = for_everybody(folder.path());
    let process = Running::start(&mut as_nobody(Command::new("sleep").arg("600"), "-all"));
    let command = attach_to(&program, &process);
    let Some(watch) = watching(&mut as_nobody(&command, "-all,+bpf,+perfmon")) else {
        return;
    };
    watch.signal(rustix::process::Signal::INT);
    let (code, out) = ended(watch);
    assert_eq!(code, Some(0));
    assert!(is_profile(&out), "{out}");
}

/// Refused for this reason, in one line, with exit code 3.
fn refused(output: &Output, reason: &str) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains(reason), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn nobody_without_capabilities_is_told_what_is_missing() {
    if !may_become_nobody() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = for_everybody(folder.path());
    let own = Running::start(&mut as_nobody(Command::new("sleep").arg("600"), "-all"));
    let others = sleeper();
    let attach = |process| as_nobody(&attach_to(&program, process), "-all").output();
    refused(&attach(&own).expect("it runs"), "CAP_BPF");
    refused(&attach(&others).expect("it runs"), "cannot be inspected");
}

#[test]
fn what_cannot_be_watched_is_refused_by_what_it_is() {
    let attach = |pid: &str| Command::new(LOCKTOLL).args(["attach", pid]).output();
    refused(
        &attach("1073741824").expect("it runs"),
        "no process has the id",
    );
    let output = attach("0").expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    // The kernel's own: thread 2 starts all others, where we see it.
    if fs::read_to_string("/proc/2/comm").is_ok_and(|name| name.trim() == "kthreadd") {
        refused(&attach("2").expect("it runs"), "kernel thread");
    } else {
        locktoll_needs::refused("no kernel thread is visible");
    }
}

#[test]
fn where_proc_is_not_mounted_nothing_is_said_of_processes() {
    if !may_become_nobody() {
        return;
    }
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    // The program and the libraries that the loader names for it.
    let loaded = Command::new("ldd").arg(LOCKTOLL).output().unwrap();
    let libraries = String::from_utf8_lossy(&loaded.stdout).into_owned();
    let files = libraries
        .split_whitespace()
        .filter(|it| it.starts_with('/'));
    for file in files {
        let copy = root.path().join(file.trim_start_matches('/'));
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(file, copy).unwrap();
    }
    fs::copy(LOCKTOLL, root.path().join("locktoll")).unwrap();
    let own = std::process::id().to_string();
    for words in [
        &["attach", &own][..],
        &["top", &own],
        &["top", "--json", "--count", "1"],
        &["machine", "--watch", &own],
    ] {
        let mut chroot = Command::new("chroot");
        chroot.arg(root.path()).arg("/locktoll").args(words);
        let output = chroot.output().unwrap();
        refused(&output, "/proc is not mounted here");
    }
}
