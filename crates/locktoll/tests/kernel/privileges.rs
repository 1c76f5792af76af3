//! The privileges that each verb with programs in the kernel still holds while it watches: the table of
//! SECURITY.md.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{LOCKTOLL, may_trace, text};
use crate::terminal::Terminal;

/// As long as anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

// capabilities(7); their numbers are those of linux/capability.h.
const CHOWN: u64 = 1 << 0;
const DAC_OVERRIDE: u64 = 1 << 1;
const DAC_READ_SEARCH: u64 = 1 << 2;
const FOWNER: u64 = 1 << 3;
const KILL: u64 = 1 << 5;
const SYS_PTRACE: u64 = 1 << 19;
const PERFMON: u64 = 1 << 38;
const BPF: u64 = 1 << 39;
const CHECKPOINT_RESTORE: u64 = 1 << 40;

/// Reading processes of others, and the files that these have mapped.
const OTHERS: u64 = DAC_READ_SEARCH | SYS_PTRACE | CHECKPOINT_RESTORE;
const WRITING_FOR_OTHERS: u64 = CHOWN | DAC_OVERRIDE | FOWNER;

/// A process that is ended, not killed, at the end of its test.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        Self(command.stderr(Stdio::null()).spawn().expect("it starts"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.0);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// What a thread's status says of its privileges.
#[derive(Debug, PartialEq)]
struct Held {
    /// Effective, permitted, bounding.
    sets: [u64; 3],
    ambient: u64,
    gains_nothing: bool,
}

impl Held {
    fn of(status: &str) -> Self {
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            u64::from_str_radix(line.expect(name).trim(), 16).expect("a number")
        };
        Self {
            sets: ["CapEff:", "CapPrm:", "CapBnd:"].map(field),
            ambient: field("CapAmb:"),
            gains_nothing: field("NoNewPrivs:") == 1,
        }
    }

    fn exactly(set: u64) -> Self {
        Self {
            sets: [set; 3],
            ambient: 0,
            gains_nothing: true,
        }
    }
}

fn own_status() -> String {
    fs::read_to_string("/proc/thread-self/status").unwrap()
}

/// Whether this user holds what the verbs are to drop; the test is skipped if not.
fn is_almighty() -> bool {
    if !may_trace() {
        return false;
    }
    let [effective, permitted, bounding] = Held::of(&own_status()).sets;
    let all = OTHERS | WRITING_FOR_OTHERS | KILL | BPF | PERFMON | 1 << 8;
    if effective & permitted & bounding & all != all {
        locktoll_needs::refused("this user does not hold all the capabilities that are dropped");
        return false;
    }
    true
}

/// What all threads of a process hold. None if one has ended meanwhile.
fn threads(process: u32) -> Option<Vec<Held>> {
    let folder = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    folder
        .map(|entry| {
            let status = fs::read_to_string(entry.ok()?.path().join("status")).ok()?;
            Some(Held::of(&status))
        })
        .collect()
}

/// Waits until each thread holds exactly one of `allowed`, and goes on doing so.
fn hold_exactly(verb: &Running, allowed: &[u64]) {
    each_thread_holds(verb.0.id(), allowed);
}

fn each_thread_holds(process: u32, allowed: &[u64]) {
    let allowed: Vec<Held> = allowed.iter().map(|&set| Held::exactly(set)).collect();
    let began = Instant::now();
    loop {
        let held = threads(process).expect("it runs");
        if held.iter().all(|thread| allowed.contains(thread)) {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "{held:x?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(1500));
    let held = threads(process).expect("it runs");
    assert!(held.iter().all(|it| allowed.contains(it)), "{held:x?}");
}

fn sleeper() -> Running {
    Running::start(Command::new("sleep").arg("600"))
}

fn locktoll(words: &[&str]) -> Running {
    Running::start(Command::new(LOCKTOLL).args(words))
}

#[test]
fn attach_keeps_what_reads_processes_of_others() {
    if !is_almighty() {
        return;
    }
    let process = sleeper();
    let pid = process.0.id().to_string();
    hold_exactly(&locktoll(&["attach", &pid]), &[OTHERS]);
    hold_exactly(&locktoll(&["attach", &pid, "--children"]), &[OTHERS]);
}

#[test]
fn writing_into_a_folder_of_another_user_s_is_kept_where_it_is_asked_for() {
    if !is_almighty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let process = sleeper();
    let pid = process.0.id().to_string();
    let output = folder.path().join("out.json");
    let words = ["attach", &pid, "--json", "-o", output.to_str().unwrap()];
    hold_exactly(&locktoll(&words), &[OTHERS]);
    assert!(output.exists());
    // A file of somebody else's stays theirs, and a folder of theirs is written to.
    std::os::unix::fs::chown(&output, Some(65534), None).unwrap();
    hold_exactly(&locktoll(&words), &[OTHERS | WRITING_FOR_OTHERS]);
    let owner = |path| std::os::unix::fs::MetadataExt::uid(&fs::metadata(path).unwrap());
    assert_eq!(owner(&output), 65534);
    fs::remove_file(&output).unwrap();
    std::os::unix::fs::chown(folder.path(), Some(65534), None).unwrap();
    hold_exactly(&locktoll(&words), &[OTHERS | WRITING_FOR_OTHERS]);
    assert!(output.exists());
}

#[test]
fn kernel_keeps_nothing_and_a_program_has_what_it_would_have() {
    if !is_almighty() {
        return;
    }
    hold_exactly(&locktoll(&["kernel"]), &[0]);
    let folder = tempfile::tempdir().unwrap();
    let status = folder.path().join("status");
    let script = format!(
        "cat /proc/self/status >{0}.part; mv {0}.part {0}; cat >/dev/null",
        status.display()
    );
    // A signal may be for a program that has become another user.
    let kernel = locktoll(&["kernel", "--", "sh", "-c", &script]);
    hold_exactly(&kernel, &[0, KILL]);
    as_without_us(&status);
}

#[test]
fn record_keeps_what_reads_and_signals_its_program() {
    if !is_almighty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let status = folder.path().join("status");
    let script = format!(
        "cat /proc/self/status >{0}.part; mv {0}.part {0}; cat >/dev/null",
        status.display()
    );
    let output = folder.path().join("out.locktoll");
    let output = output.to_str().unwrap();
    let words = ["record", "--preemption", "-o", output, "--", "sh", "-c"];
    let record = locktoll(&[&words[..], &[&script]].concat());
    hold_exactly(&record, &[DAC_READ_SEARCH | SYS_PTRACE | KILL]);
    as_without_us(&status);
    drop(record);
    assert!(fs::metadata(output).is_ok_and(|it| it.len() > 0));
}

#[test]
fn the_thread_that_draws_and_reads_keys_holds_nothing() {
    if !is_almighty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(LOCKTOLL);
    command.arg("top").current_dir(folder.path());
    let mut terminal = Terminal::start(&mut command, 100, 40);
    each_thread_holds(terminal.process(), &[0, OTHERS | BPF | PERFMON]);
    let main = format!("/proc/{0}/task/{0}/status", terminal.process());
    let main = Held::of(&fs::read_to_string(main).unwrap());
    assert_eq!(main, Held::exactly(0));
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn the_agent_keeps_what_it_needs_for_programs_that_come_later() {
    if !is_almighty() {
        return;
    }
    let agent = locktoll(&["agent", "--name", "^sleep$", "--listen", "127.0.0.1:0"]);
    hold_exactly(&agent, &[0, OTHERS | BPF | PERFMON]);
    // Its programs in the kernel are loaded only now.
    let _first = sleeper();
    hold_exactly(&agent, &[0, OTHERS | BPF | PERFMON]);
}

/// The program's own word on its privileges is what ours is.
fn as_without_us(status: &std::path::Path) {
    let began = Instant::now();
    while !status.exists() {
        assert!(began.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(20));
    }
    let expected = Held::of(&own_status());
    assert_eq!(Held::of(&fs::read_to_string(status).unwrap()), expected);
}

#[test]
fn top_keeps_what_it_needs_to_look_into_another_program() {
    if !is_almighty() {
        return;
    }
    let top = OTHERS | BPF | PERFMON;
    let process = sleeper();
    let pid = process.0.id().to_string();
    hold_exactly(&locktoll(&["top", "--json"]), &[top]);
    hold_exactly(&locktoll(&["top", "--json", &pid]), &[top]);
    // What is begun after the drop works, too: the waits of all programs. Here two threads wait for each other all the time.
    let lock = std::sync::Mutex::new(());
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                // Relaxed: the flag carries no other data.
                while !over.load(std::sync::atomic::Ordering::Relaxed) {
                    let _held = lock.lock().unwrap();
                    std::thread::sleep(Duration::from_millis(2));
                }
            });
        }
        let mut command = Command::new(LOCKTOLL);
        let words = ["top", "--json", "--count", "3", "--interval", "300ms"];
        let output = command.args(words).output().unwrap();
        over.store(true, std::sync::atomic::Ordering::Relaxed);
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(said.contains("\"seen_by\":\"kernel\""), "{said}");
    });
}
