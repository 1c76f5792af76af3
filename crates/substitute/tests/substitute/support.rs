//! Builds the library and the programs, and runs them bare and under every candidate.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

use locktoll_substitute::candidate::{ALL, Algorithm};
use locktoll_substitute::tally::{self, OBJECTS, Object, REASONS, Reason};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::each::under_each;

#[path = "../../../../tests/library.rs"]
mod library;

/// The library as the main program embeds it.
pub static LIBRARY: LazyLock<PathBuf> =
    LazyLock::new(|| library::built("substitute", &["--features", "interpose"]));

fn scratch() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// Compiles `tests/programs/NAME` (C or C++20), an executable unless `flags` say otherwise.
pub fn program_with(name: &str, flags: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/programs")
        .join(name);
    let (compiler, language): (_, &[&str]) = if name.ends_with(".cpp") {
        ("c++", &["-std=c++20"])
    } else {
        ("cc", &[])
    };
    let mut command = Command::new(compiler);
    command.args(language).args(["-O1", "-g", "-pthread"]);
    command.arg(source).args(flags).arg("-ldl");
    locktoll_programs::compiled(&command, &name.replace('.', "_"), &scratch())
}

/// Whether the source can be compiled here; if not, the test is noted as skipped.
pub fn can_be_compiled(name: &str) -> bool {
    !name.ends_with(".cpp") || locktoll_needs::programs(&["c++"])
}

/// Compiles `tests/programs/NAME`.
pub fn program(name: &str) -> PathBuf {
    program_with(name, &[])
}

/// A candidate as `LOCKTOLL_LOCK` names it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name, with a number where one is tried that is not the default.
    pub name: String,
    /// It replaces something.
    pub replaces: bool,
    /// It replaces mutexes and conditions alone.
    pub leaves_others: bool,
    /// Its waiters do nothing but spin: few threads, or a test takes for ever on few processors.
    pub is_pure_spinner: bool,
}

impl Candidate {
    /// How many threads a program should have that asks for `many`.
    pub fn threads(&self, many: u32) -> u32 {
        if self.is_pure_spinner {
            many.min(2)
        } else {
            many
        }
    }
}

/// Every candidate, with its default number and with the least; or those of them that `LOCKTOLL_LOCKS=a,b` names.
pub fn candidates() -> Vec<Candidate> {
    let chosen = std::env::var("LOCKTOLL_LOCKS").ok();
    let is_chosen = |name: &String| {
        let names = chosen.as_deref();
        names.is_none_or(|names| names.split(',').any(|it| it == name))
    };
    let named = ALL.iter().flat_map(|description| {
        let least = description
            .parameter
            .filter(|parameter| parameter.is_always_named)
            .filter(|parameter| parameter.least != parameter.default)
            .map(|parameter| format!("{}:{}", description.name, parameter.least));
        let names = std::iter::once(description.name.to_owned()).chain(least);
        names.filter(&is_chosen).map(move |name| Candidate {
            name,
            replaces: description.algorithm != Algorithm::PassThrough,
            leaves_others: description.algorithm == Algorithm::Gate,
            is_pure_spinner: description.is_pure_spinner,
        })
    });
    // Not a candidate of `try`: holds of all locks are sped up, for `whatif`, so all threads pay for each other's.
    let sped_up = Candidate {
        name: "speed-up:50".to_owned(),
        replaces: true,
        leaves_others: true,
        is_pure_spinner: false,
    };
    let sped_up = Some(sped_up).filter(|it| is_chosen(&it.name));
    named.chain(sped_up).collect()
}

/// A program that hangs is ended, with all its children, and fails its test instead of stopping all of them.
const PATIENCE_SECONDS: i64 = 120;

/// Runs a command to its end, or until patience is. Its output goes to files: a child that is left over does not keep us waiting.
fn run(mut command: Command) -> Output {
    let [mut stdout, mut stderr] =
        [(); 2].map(|()| tempfile::tempfile().expect("a file for the output"));
    let copy = |file: &File| file.try_clone().expect("a second descriptor");
    command
        .stdin(Stdio::null())
        .stdout(copy(&stdout))
        .stderr(copy(&stderr));
    let mut child = command
        .process_group(0)
        .spawn()
        .expect("the program starts");
    let group = -libc::pid_t::try_from(child.id()).expect("a process number");
    // Woken by its end: to look every few milliseconds would take longer than most programs here run.
    let process = Pid::from_child(&child);
    let ending = pidfd_open(process, PidfdFlags::empty()).expect("a descriptor of our child");
    let patience = Timespec {
        tv_sec: PATIENCE_SECONDS,
        tv_nsec: 0,
    };
    let mut waited_for = [PollFd::new(&ending, PollFlags::IN)];
    let ended = retry_on_intr(|| poll(&mut waited_for, Some(&patience)));
    if ended != Ok(1) {
        // SAFETY: a system call; the group is of our child, which has not been waited for.
        unsafe { libc::kill(group, libc::SIGALRM) };
    }
    let status = child.wait().expect("a child of ours");
    // SAFETY: as above; what is left of the group, if anything, still has its number.
    unsafe { libc::kill(group, libc::SIGKILL) };
    let read = |file: &mut File| {
        let mut text = Vec::new();
        file.rewind().expect("a file can be read again");
        file.read_to_end(&mut text).expect("a file can be read");
        text
    };
    Output {
        status,
        stdout: read(&mut stdout),
        stderr: read(&mut stderr),
    }
}

/// Runs `program` without us.
pub fn run_bare(program: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments);
    run(command)
}

/// What a run under a candidate left behind.
pub struct Replaced {
    pub output: Output,
    pub counts: Counts,
}

/// What the library counted.
#[derive(Debug)]
pub struct Counts {
    pub processes: u64,
    pub failures: u64,
    replaced: [u64; OBJECTS],
    passed_through: [[u64; REASONS]; OBJECTS],
    /// Threads with the time slice extension, and those without.
    pub slice_extension_threads: [u64; 2],
    /// Time slice extensions that were given back.
    pub slice_extensions: u64,
}

impl Counts {
    /// Objects that were replaced.
    pub fn replaced(&self, object: Object) -> u64 {
        self.replaced[object as usize]
    }

    /// Objects that were left to the C library.
    pub fn passed_through(&self, object: Object, reason: Reason) -> u64 {
        self.passed_through[object as usize][reason as usize]
    }

    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("the tally is there");
        let mut words = bytes
            .chunks_exact(8)
            .map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")));
        let mut next = || words.next().expect("a word");
        let mut counts = Self {
            processes: next(),
            failures: next(),
            replaced: std::array::from_fn(|_| next()),
            passed_through: std::array::from_fn(|_| std::array::from_fn(|_| next())),
            slice_extension_threads: [0; 2],
            slice_extensions: 0,
        };
        let _real_time = next();
        counts.slice_extension_threads = std::array::from_fn(|_| next());
        counts.slice_extensions = next();
        counts
    }
}

/// One program of spinners at a time: where two have few processors, each waits for threads that the other keeps from running.
static SPINNERS: Mutex<()> = Mutex::new(());

/// Of a candidate as `LOCKTOLL_LOCK` names it; of one that does not exist, no.
fn is_pure_spinner(candidate: &str) -> bool {
    let name = candidate.split([':', '+']).next();
    ALL.iter()
        .any(|it| it.is_pure_spinner && Some(it.name) == name)
}

/// Runs `program` under a candidate, with more in its environment; the library may have failed.
pub fn run_in(
    candidate: &str,
    program: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Replaced {
    let _turn =
        is_pure_spinner(candidate).then(|| SPINNERS.lock().unwrap_or_else(PoisonError::into_inner));
    let folder = tempfile::tempdir().expect("a folder for the tally");
    let path = folder.path().join("tally");
    std::fs::write(&path, [0; tally::BYTES]).expect("a tally");
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("LD_PRELOAD", OsString::from(&*LIBRARY))
        .env("LOCKTOLL_LOCK", candidate)
        .env("LOCKTOLL_TALLY", &path)
        .envs(environment.iter().copied());
    let output = run(command);
    let counts = Counts::read(&path);
    Replaced { output, counts }
}

/// Runs `program` under a candidate, with more in its environment.
pub fn run_under_with(
    candidate: &str,
    program: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Replaced {
    let replaced = run_in(candidate, program, arguments, environment);
    assert_eq!(
        replaced.counts.failures, 0,
        "{candidate}: it replaced nothing"
    );
    assert!(
        replaced.counts.processes > 0,
        "{candidate}: it was not there at all"
    );
    replaced
}

/// Runs `program` under a candidate.
pub fn run_under(candidate: &str, program: &Path, arguments: &[&str]) -> Replaced {
    run_under_with(candidate, program, arguments, &[])
}

/// Runs `program` bare and under every candidate, and has all behave the same. Returns what each candidate left behind.
pub fn same_under_all(name: &str, arguments: &[&str]) -> Vec<(Candidate, Replaced)> {
    if !can_be_compiled(name) {
        return Vec::new();
    }
    let program = program(name);
    let bare = run_bare(&program, arguments);
    assert!(bare.status.success(), "{name} bare: {bare:?}");
    let under = |candidate: Candidate| {
        let replaced = run_under(&candidate.name, &program, arguments);
        assert_same(
            &format!("{name} under {}", candidate.name),
            &bare,
            &replaced.output,
        );
        (candidate, replaced)
    };
    under_each(candidates(), under)
}

/// Runs `program` under every candidate with as many threads as it should have, its first argument; it must succeed.
pub fn succeeds_under_all(
    name: &str,
    threads: u32,
    arguments: &[&str],
) -> Vec<(Candidate, Replaced)> {
    if !can_be_compiled(name) {
        return Vec::new();
    }
    let program = program(name);
    let under = |candidate: Candidate| {
        let threads = candidate.threads(threads).to_string();
        let arguments: Vec<&str> = std::iter::once(&threads[..])
            .chain(arguments.iter().copied())
            .collect();
        let replaced = run_under(&candidate.name, &program, &arguments);
        assert!(
            replaced.output.status.success(),
            "{name} under {}: {}\n{}{}",
            candidate.name,
            replaced.output.status,
            String::from_utf8_lossy(&replaced.output.stdout),
            String::from_utf8_lossy(&replaced.output.stderr),
        );
        (candidate, replaced)
    };
    under_each(candidates(), under)
}

/// Both outputs and both statuses are the same.
pub fn assert_same(what: &str, bare: &Output, replaced: &Output) {
    assert_same_text(what, &bare.stdout, &replaced.stdout);
    assert_same_text(what, &bare.stderr, &replaced.stderr);
    assert_eq!(bare.status, replaced.status, "{what}");
}

/// Shows the first line that differs, with those before it, since some programs print hundreds.
fn assert_same_text(what: &str, bare: &[u8], replaced: &[u8]) {
    if bare == replaced {
        return;
    }
    let (bare, replaced) = (
        String::from_utf8_lossy(bare),
        String::from_utf8_lossy(replaced),
    );
    let pairs = bare.lines().zip(replaced.lines());
    let same = pairs
        .take_while(|(bare, replaced)| bare == replaced)
        .count();
    let from = |text: &str| {
        let shown = text.lines().skip(same.saturating_sub(8));
        shown.take(12).collect::<Vec<_>>().join("\n")
    };
    panic!(
        "{what} differs in line {}\nbare:\n{}\n\nreplaced:\n{}",
        same + 1,
        from(&bare),
        from(&replaced)
    );
}
