//! Builds the library and the programs, and runs them.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use locktoll_recording::layout::LockKind;
use locktoll_recording::reader::{Count, Part, Recording};
use tempfile::TempDir;

#[path = "../../../../tests/library.rs"]
mod library;

/// The library as the main program embeds it.
pub static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| library::built("preload", &[]));

fn scratch() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// Compiles `tests/programs/NAME` (C, C++20 or Rust), an executable unless `flags` say otherwise.
pub fn program_with(name: &str, flags: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/programs")
        .join(name);
    let mut compiler = compiler(name);
    compiler.arg(source).args(flags);
    locktoll_programs::compiled(&compiler, &name.replace('.', "_"), &scratch())
}

/// The compiler for a source file, with what all programs are compiled with.
fn compiler(name: &str) -> Command {
    let c = ["-O1", "-g", "-pthread", "-ldl"];
    let (compiler, arguments): (OsString, &[&str]) = if name.ends_with(".rs") {
        let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
        (rustc, &["-O", "-g", "--edition", "2024"])
    } else if name.ends_with(".cpp") {
        (
            "c++".into(),
            &["-std=c++20", "-O1", "-g", "-pthread", "-ldl"],
        )
    } else {
        ("cc".into(), &c)
    };
    let mut command = Command::new(compiler);
    command.args(arguments);
    command
}

/// Compiles `tests/programs/NAME` and runs it in several ways.
pub fn program(name: &str) -> PathBuf {
    program_with(name, &[])
}

/// What a recorded run left behind.
pub struct Recorded {
    pub output: Output,
    pub recordings: Vec<Recording>,
    pub bytes: u64,
    _folder: TempDir,
}

/// A program that hangs, bare or recorded, is ended by `SIGALRM` and fails its test instead of stopping all of them.
const PATIENCE_SECONDS: u32 = 120;

/// A command for `program` that does not hang for ever.
pub fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    // SAFETY: alarm(2) is async-signal-safe, which is all that may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::alarm(PATIENCE_SECONDS);
            Ok(())
        });
    }
    command
}

/// Runs `program` without us.
pub fn run_bare(program: &Path, arguments: &[&str]) -> Output {
    command(program)
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// Runs `program` recorded, with `others` preloaded after us.
pub fn run_recorded_with(program: &Path, arguments: &[&str], others: &[&Path]) -> Recorded {
    let folder = tempfile::tempdir().expect("a folder for parts");
    let command = command_recorded(program, folder.path(), others);
    run_in(folder, command, arguments)
}

/// Runs `program` recorded, with more in its environment.
pub fn run_recorded_env(
    program: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Recorded {
    let folder = tempfile::tempdir().expect("a folder for parts");
    let mut command = command_recorded(program, folder.path(), &[]);
    command.envs(environment.iter().copied());
    run_in(folder, command, arguments)
}

fn run_in(folder: TempDir, mut command: Command, arguments: &[&str]) -> Recorded {
    let output = command
        .args(arguments)
        .output()
        .expect("the program starts");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder.path())
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    Recorded {
        output,
        bytes: paths
            .iter()
            .map(|path| path.metadata().expect("a part").len())
            .sum(),
        recordings: paths
            .iter()
            .map(|path| Recording::open(path).expect("a readable part"))
            .collect(),
        _folder: folder,
    }
}

/// The command that runs `program` recorded into `parts`.
pub fn command_recorded(program: &Path, parts: &Path, others: &[&Path]) -> Command {
    let mut preload = OsString::from(&*LIBRARY);
    for other in others {
        preload.push(":");
        preload.push(other);
    }
    let mut command = command(program);
    command
        .env("LD_PRELOAD", preload)
        .env("LOCKTOLL_PARTS", parts);
    command
}

/// Runs `program` recorded.
pub fn run_recorded(program: &Path, arguments: &[&str]) -> Recorded {
    run_recorded_with(program, arguments, &[])
}

/// Runs `program` bare and recorded, and has them behave the same.
pub fn compare(program: &Path, arguments: &[&str]) -> Recorded {
    let bare = run_bare(program, arguments);
    let recorded = run_recorded(program, arguments);
    assert_same(&bare, &recorded.output);
    recorded
}

/// Both outputs and both statuses are the same.
pub fn assert_same(bare: &Output, recorded: &Output) {
    assert_same_text("stdout", &bare.stdout, &recorded.stdout);
    assert_same_text("stderr", &bare.stderr, &recorded.stderr);
    assert_eq!(bare.status, recorded.status, "status");
}

/// Shows the first line that differs, with those before it, since some programs print hundreds.
fn assert_same_text(what: &str, bare: &[u8], recorded: &[u8]) {
    if bare == recorded {
        return;
    }
    let (bare, recorded) = (
        String::from_utf8_lossy(bare),
        String::from_utf8_lossy(recorded),
    );
    let same = bare
        .lines()
        .zip(recorded.lines())
        .take_while(|(bare, recorded)| bare == recorded)
        .count();
    let from = |text: &str, lines: usize| {
        let shown = text.lines().skip(same.saturating_sub(8));
        shown.take(lines).collect::<Vec<_>>().join("\n")
    };
    panic!(
        "{what} differs in line {}\nbare:\n{}\n\nrecorded:\n{}",
        same + 1,
        from(&bare, 12),
        from(&recorded, 12)
    );
}

impl Recorded {
    /// The one part there must be, without a warning and with nothing dropped.
    pub fn only_part(&self) -> &Part {
        let [recording] = &self.recordings[..] else {
            panic!("{} parts instead of one", self.recordings.len());
        };
        whole(recording)
    }
}

/// The part of a recording that has one, without a warning and with nothing dropped.
pub fn whole(recording: &Recording) -> &Part {
    assert!(recording.warnings.is_empty(), "{:?}", recording.warnings);
    let [part] = &recording.parts[..] else {
        panic!("{} parts in one file", recording.parts.len());
    };
    assert_eq!(part.dropped.iter().collect::<Vec<_>>(), []);
    part
}

/// The counts made by calls from `module`, a file's name: the C library and the loader take locks too.
pub fn counts_in<'p>(part: &'p Part, module: &str) -> Vec<&'p Count> {
    let in_module = |count: &&Count| {
        let site = count.site.map(|site| &part.sites[site]);
        site.and_then(|site| site.module).is_some_and(|index| {
            part.modules[index]
                .path
                .file_name()
                .is_some_and(|name| name == module)
        })
    };
    part.counts.iter().filter(in_module).collect()
}

/// Acquisitions of mutexes in `module`, all together.
pub fn acquisitions_in(part: &Part, module: &str) -> u64 {
    counts_in(part, module)
        .iter()
        .filter(|count| count.kind == LockKind::Mutex)
        .map(|count| count.acquisitions)
        .sum()
}
