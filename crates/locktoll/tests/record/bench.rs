//! What the tests stand on: programs built from source, and the binary run on them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The built binary.
pub const LOCKTOLL: &str = env!("CARGO_BIN_EXE_locktoll");

/// A folder for one test: its programs, its recordings, and the binary's cache.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("record-")
            .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
            .unwrap();
        Self { folder }
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Builds `tests/programs/NAME.c` with debug information.
    pub fn c(&self, name: &str, flags: &[&str]) -> PathBuf {
        let program = self.path(name);
        let mut compiler = Command::new("cc");
        compiler.args(["-g", "-O1", "-pthread", "-Wall", "-Werror"]);
        compiler.args(flags).arg("-o").arg(&program);
        build(compiler.arg(source(&format!("{name}.c"))));
        program
    }

    /// Builds `tests/programs/NAME.cpp` as C++20, with debug information.
    pub fn cpp(&self, name: &str) -> PathBuf {
        let program = self.path(name);
        let mut compiler = Command::new("c++");
        compiler.args(["-std=c++20", "-g", "-O1", "-pthread", "-o"]);
        build(compiler.arg(&program).arg(source(&format!("{name}.cpp"))));
        program
    }

    /// Builds `tests/programs/NAME.rs`, optimized, with debug information.
    pub fn rust(&self, name: &str) -> PathBuf {
        let program = self.path(name);
        let mut compiler = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        compiler
            .args(["-g", "-O", "--edition", "2024", "-o"])
            .arg(&program);
        build(compiler.arg(source(&format!("{name}.rs"))));
        program
    }

    /// The binary with a cache of this test's own, in this test's folder.
    pub fn locktoll(&self) -> Command {
        let mut command = Command::new(LOCKTOLL);
        command
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .stdin(Stdio::null());
        command
    }

    /// Records `program` without a summary into `out.locktoll`.
    pub fn record<S: AsRef<OsStr>>(&self, program: &[S]) -> Output {
        let mut command = self.locktoll();
        command.args(["record", "--quiet", "-o", "out.locktoll", "--"]);
        command.args(program).output().unwrap()
    }

    /// Records `program` with `options`, has it succeed, and gives what it said of itself and what the profile says.
    pub fn answers<S: AsRef<OsStr>>(
        &self,
        options: &[&str],
        program: &[S],
    ) -> (Answers, serde_json::Value) {
        let mut command = self.locktoll();
        command.args(["record", "--quiet", "-o", "out.locktoll"]);
        let out = command
            .args(options)
            .arg("--")
            .args(program)
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", text(&out.stderr));
        (Answers(text(&out.stdout)), self.profile("out.locktoll"))
    }

    /// What `report --json` says of a recording.
    pub fn profile(&self, recording: &str) -> serde_json::Value {
        let out = self
            .locktoll()
            .args(["report", "--json", recording])
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", text(&out.stderr));
        serde_json::from_slice(&out.stdout).unwrap()
    }

    /// Names in this test's folder that no test put there.
    pub fn litter(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.contains(".parts-") || name.starts_with('.'))
            .collect()
    }
}

/// What a program with known answers printed: lines of a word and numbers.
pub struct Answers(String);

impl Answers {
    /// The numbers after `word`.
    pub fn numbers(&self, word: &str) -> Vec<f64> {
        let lines = self.0.lines().map(|line| line.split_whitespace());
        let mut found = lines.filter_map(|mut line| (line.next() == Some(word)).then_some(line));
        let numbers = found
            .next()
            .unwrap_or_else(|| panic!("no {word} in {}", self.0));
        numbers.map(|number| number.parse().unwrap()).collect()
    }

    /// The one number after `word`.
    pub fn number(&self, word: &str) -> f64 {
        let numbers = self.numbers(word);
        assert_eq!(numbers.len(), 1, "{word}");
        numbers[0]
    }
}

/// The number at `pointer` (RFC 6901) in a document.
pub fn number(document: &serde_json::Value, pointer: &str) -> f64 {
    let found = document
        .pointer(pointer)
        .and_then(serde_json::Value::as_f64);
    found.unwrap_or_else(|| panic!("no number at {pointer} in {document:#}"))
}

/// Comparisons of times in one run.
#[derive(Default)]
pub struct Times(Vec<String>);

impl Times {
    /// `found` lies between `low` and `high`, give or take 2 in 100.
    pub fn between(&mut self, what: &str, found: f64, low: f64, high: f64) {
        if found < 0.98 * low || found > 1.02 * high {
            self.0
                .push(format!("{what}: {found} is not between {low} and {high}"));
        }
    }

    /// What was not as it should be.
    pub fn wrong(&self) -> &[String] {
        &self.0
    }

    /// `is_right`, or else `what` is wrong.
    pub fn check(&mut self, is_right: bool, what: impl FnOnce() -> String) {
        if !is_right {
            self.0.push(what());
        }
    }
}

/// Runs something whose times are compared until they are right, at most five times.
///
/// Another process may get the processor just between the program's look at the clock and ours. An error of ours would be
/// there every time. Counts are not compared like this: they are right every time.
#[track_caller]
pub fn undisturbed(mut run: impl FnMut(&mut Times)) {
    let mut wrong = Times::default();
    for _ in 0..5 {
        wrong.0.clear();
        run(&mut wrong);
        if wrong.0.is_empty() {
            return;
        }
    }
    panic!("{}", wrong.0.join("\n"));
}

/// The function that is innermost in a list of frames.
pub fn function(frames: &serde_json::Value) -> &str {
    frames[0]["function"].as_str().unwrap_or("?")
}

/// The lock with this name.
pub fn lock<'a>(profile: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let locks = profile["locks"].as_array().unwrap();
    locks
        .iter()
        .find(|lock| lock["name"] == name)
        .unwrap_or_else(|| panic!("no lock {name} in {profile:#}"))
}

/// The functions that take a lock, innermost frames only, with their acquisitions.
pub fn sites(lock: &serde_json::Value) -> Vec<(String, u64)> {
    let mut sites: Vec<(String, u64)> = lock["sites"]
        .as_array()
        .unwrap()
        .iter()
        .map(|site| {
            let function = site["frames"][0]["function"].as_str().unwrap_or("?");
            (function.to_owned(), site["acquisitions"].as_u64().unwrap())
        })
        .collect();
    sites.sort();
    sites
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub fn source(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs")).join(name)
}

fn build(compiler: &mut Command) {
    let out = compiler
        .output()
        .unwrap_or_else(|error| panic!("{compiler:?}: {error}"));
    assert!(out.status.success(), "{compiler:?}: {}", text(&out.stderr));
}
