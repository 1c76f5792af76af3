//! Builds the programs, records them, and reads what was found.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use locktoll_lab::platform::startable;
use serde_json::Value;

use crate::answers::Answers;

/// Two programs that spin would take each other's CPU.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A folder for one test, and the test's turn.
pub struct Bench {
    folder: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// What a run spent and what was found of it, in nanoseconds of CPU time.
pub struct Found {
    /// What the program says that it spent waiting, and in all.
    pub spun: f64,
    pub cpu: f64,
    /// What `record` calls spinning.
    pub found: f64,
    /// Its interval.
    pub bounds: (f64, f64),
    /// Samples of the program, and those of them in waits.
    pub samples: u64,
    pub in_waits: u64,
    /// Samples that were examined.
    pub examined: u64,
    /// The words that were waited for, by name.
    pub words: Vec<String>,
}

impl Bench {
    pub fn new() -> Bench {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::Builder::new()
            .prefix("spinning-")
            .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
            .unwrap();
        Bench {
            folder,
            _turn: turn,
        }
    }

    /// Builds `tests/programs/NAME` with a compiler for its language.
    pub fn built(&self, name: &str, flags: &[&str]) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/programs")
            .join(name);
        let rust = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let (compiler, always): (_, &[&str]) = match name.rsplit('.').next() {
            Some("cpp") => ("c++".into(), &["-std=c++20", "-g", "-pthread"]),
            Some("rs") => (rust, &["-g", "--edition", "2024"]),
            _ => ("cc".into(), &["-g", "-pthread"]),
        };
        let mut command = Command::new(compiler);
        command.args(always).args(flags).arg(source);
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        locktoll_programs::compiled(&command, "program", scratch)
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns what `locktoll` prints in the folder.
    pub fn printed(&self, words: &[&str]) -> String {
        let out = self.locktoll().args(words).output().unwrap();
        let errors = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{words:?}: {errors}");
        String::from_utf8(out.stdout).unwrap()
    }

    fn locktoll(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locktoll"));
        command
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.folder.path().join("cache"));
        let mut command = startable(command, None);
        command.stdin(Stdio::null());
        command
    }

    /// Records a program; returns what it printed, and the profile. `None`, and the test is skipped, if the kernel does not let it be
    /// sampled.
    pub fn profile(&self, program: &Path, arguments: &[&str]) -> Option<(Vec<u8>, Value)> {
        self.profile_at("on", program, arguments)
    }

    /// The same with `--spin RATE`.
    pub fn profile_at(
        &self,
        rate: &str,
        program: &Path,
        arguments: &[&str],
    ) -> Option<(Vec<u8>, Value)> {
        let mut command = self.locktoll();
        command.args([
            "record",
            "--quiet",
            "--spin",
            rate,
            "-o",
            "out.locktoll",
            "--",
        ]);
        let out = command.arg(program).args(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{errors}");
        let report = self
            .locktoll()
            .args(["report", "--json", "out.locktoll"])
            .output()
            .unwrap();
        let profile: Value = serde_json::from_slice(&report.stdout).unwrap();
        if profile["spin_cpu_ns"].is_null() {
            // Only a refusal leaves the figure out, and it is reported.
            assert!(errors.contains("perf"), "{errors}");
            locktoll_needs::refused(&errors);
            return None;
        }
        Some((out.stdout, profile))
    }

    /// Records a program that says how long it waited; `None` as above.
    pub fn recorded(&self, program: &Path, arguments: &[&str]) -> Option<Found> {
        let (printed, profile) = self.profile(program, arguments)?;
        let answers = Answers::of(&printed);
        let rows = profile["spinning"].as_array().map_or(&[][..], |it| it);
        let words = rows.iter().filter_map(|it| it["word"]["name"].as_str());
        let number = |name: &str| profile["spin_cpu_ns"][name].as_f64().unwrap();
        Some(Found {
            spun: answers.number("spun_ns"),
            cpu: answers.number("cpu_ns"),
            found: number("median"),
            bounds: (number("low"), number("high")),
            samples: profile["spin_samples"]["samples"].as_u64().unwrap(),
            in_waits: profile["spin_cpu_ns"]["n"].as_u64().unwrap(),
            examined: examined(&profile),
            words: words.map(str::to_owned).collect(),
        })
    }
}

/// Returns the number of samples that were examined.
pub fn examined(profile: &Value) -> u64 {
    let of = &profile["spin_samples"];
    let number = |name: &str| of[name].as_u64().unwrap();
    number("samples") - number("unexamined")
}
