//! The common parts of the tests: programs built from source, and the binary run on them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

#[path = "../../../../tests/programs/answers.rs"]
pub mod answers;

use answers::Answers;
use locktoll_lab::platform::startable;

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
        let mut compiler = Command::new(c_compiler());
        compiler.args(["-g", "-O1", "-pthread", "-Wall", "-Werror"]);
        compiler.args(flags).arg(source(&format!("{name}.c")));
        self.copied(&compiler, name)
    }

    /// Builds `tests/programs/NAME.cpp` as C++20, with debug information.
    pub fn cpp(&self, name: &str) -> PathBuf {
        let mut compiler = Command::new("c++");
        compiler.args(["-std=c++20", "-g", "-O1", "-pthread"]);
        compiler.arg(source(&format!("{name}.cpp")));
        self.copied(&compiler, name)
    }

    /// Builds `tests/programs/NAME.rs`, optimized, with debug information.
    pub fn rust(&self, name: &str) -> PathBuf {
        let mut compiler = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        compiler.args(["-g", "-O", "--edition", "2024"]);
        compiler.arg(source(&format!("{name}.rs")));
        self.copied(&compiler, name)
    }

    /// The same without symbols or debug information.
    pub fn stripped_rust(&self, name: &str) -> PathBuf {
        let mut compiler = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        compiler.args(["-O", "--edition", "2024", "-C", "strip=symbols"]);
        compiler.arg(source(&format!("{name}.rs")));
        self.copied(&compiler, name)
    }

    /// The program in this test's folder: some tests change it, and recordings name its path.
    fn copied(&self, compiler: &Command, name: &str) -> PathBuf {
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        locktoll_programs::copied(compiler, &self.path(name), scratch)
    }

    /// The binary with a cache of this test's own, in this test's folder.
    pub fn locktoll(&self) -> Command {
        let mut command = Command::new(LOCKTOLL);
        command
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.path("cache"));
        let mut command = startable(command, None);
        command.stdin(Stdio::null());
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
        (Answers::of(&out.stdout), self.profile("out.locktoll"))
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

/// The compiler of C for the processor that the tests are built for, by the name that the `cc` crate takes too.
pub fn c_compiler() -> OsString {
    let named = format!("CC_{}_unknown_linux_gnu", std::env::consts::ARCH);
    std::env::var_os(named).unwrap_or_else(|| "cc".into())
}

/// The number at `pointer` (RFC 6901) in a document.
pub fn number(document: &serde_json::Value, pointer: &str) -> f64 {
    let found = document
        .pointer(pointer)
        .and_then(serde_json::Value::as_f64);
    found.unwrap_or_else(|| panic!("no number at {pointer} in {document:#}"))
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
