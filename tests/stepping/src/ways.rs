//! The ways to run the pair.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::count::Counts;
use crate::stepper::step;

/// Pairs before the first mark: whatever is made at first uses has been made by then.
const WARM: &str = "10000";
/// Pairs that are stepped for the table.
pub const PAIRS: u32 = 1_000;

/// The two libraries that go under programs.
pub struct Libraries {
    /// The recorder.
    pub preload: PathBuf,
    /// The library of other locks.
    pub substitute: PathBuf,
}

impl Libraries {
    /// Those that the build of the crate `locktoll` leaves in `target`, the build's folder.
    pub fn of_build(target: &Path) -> Self {
        let folder = target.join("libraries/x86_64-unknown-linux-gnu/preload");
        Self {
            preload: folder.join("liblocktoll_preload.so"),
            substitute: folder.join("liblocktoll_substitute.so"),
        }
    }
}

/// A way to run the pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// On the C library's mutex.
    Bare,
    /// The same under the recorder, a sample of the holds timed.
    Recorded,
    /// Under the recorder, each hold timed.
    Exact,
    /// On another lock, as `try` puts it there.
    Substituted(String),
    /// On the library's own lock in a program of Rust, acquired and released by calls.
    Tollgate,
}

impl Way {
    /// What the table calls it.
    pub fn name(&self) -> String {
        match self {
            Self::Bare => "bare".to_owned(),
            Self::Recorded => "recorded".to_owned(),
            Self::Exact => "recorded --exact".to_owned(),
            Self::Substituted(lock) => format!("try {lock}"),
            Self::Tollgate => "Tollgate in Rust".to_owned(),
        }
    }

    /// Steps `pairs` pairs this way, and counts what one of them takes. `scratch` is a folder for the compiled program.
    ///
    /// # Errors
    /// If the program cannot be stepped.
    pub fn count(
        &self,
        pairs: u32,
        libraries: &Libraries,
        scratch: &Path,
    ) -> anyhow::Result<Counts> {
        let parts = tempfile::tempdir().context("no folder for parts")?;
        let mut command = match self {
            Self::Tollgate => Command::new(tollgate(scratch)?),
            _ => Command::new(program(scratch)),
        };
        command.args([WARM, &pairs.to_string()]);
        match self {
            Self::Bare | Self::Tollgate => {}
            Self::Recorded | Self::Exact => {
                command.env("LD_PRELOAD", &libraries.preload);
                command.env("LOCKTOLL_PARTS", parts.path());
                if *self == Self::Exact {
                    command.env("LOCKTOLL_MODE", "exact");
                }
            }
            Self::Substituted(lock) => {
                command.env("LD_PRELOAD", &libraries.substitute);
                command.env("LOCKTOLL_LOCK", lock);
            }
        }
        step(command).with_context(|| self.name())
    }
}

/// All of them, with these other locks.
pub fn ways<'a>(locks: impl Iterator<Item = &'a str>) -> Vec<Way> {
    let mut ways = vec![Way::Bare, Way::Recorded, Way::Exact, Way::Tollgate];
    ways.extend(locks.map(|lock| Way::Substituted(lock.to_owned())));
    ways
}

fn program(scratch: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/stepped_pairs.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-pthread"]).arg(source);
    locktoll_programs::compiled(&compiler, "stepped_pairs", scratch)
}

/// Builds the program of Rust: with optimisation, whatever the caller is built with.
fn tollgate(scratch: &Path) -> anyhow::Result<PathBuf> {
    let target = scratch.join("stepped_tollgate");
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--locked", "--quiet", "--package"])
        .arg("locktoll-stepped-tollgate")
        .arg("--target-dir")
        .arg(&target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .context("cargo does not start")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo build: {}", errors.trim());
    Ok(target.join("release/locktoll-stepped-tollgate"))
}
