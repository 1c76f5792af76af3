//! The ways to run the pair.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::count::Counts;
use crate::stepper::step;

/// Pairs before the first mark: whatever is made at first uses has been made by then.
const WARM: &str = "10000";
/// Pairs that are stepped.
const PAIRS: &str = "1000";

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
}

impl Way {
    /// What the table calls it.
    pub fn name(&self) -> String {
        match self {
            Self::Bare => "bare".to_owned(),
            Self::Recorded => "recorded".to_owned(),
            Self::Exact => "recorded --exact".to_owned(),
            Self::Substituted(lock) => format!("try {lock}"),
        }
    }

    /// Counts what a pair takes this way. `scratch` is a folder for the compiled program.
    ///
    /// # Errors
    /// If the program cannot be stepped.
    pub fn count(&self, libraries: &Libraries, scratch: &Path) -> anyhow::Result<Counts> {
        let parts = tempfile::tempdir().context("no folder for parts")?;
        let mut command = Command::new(program(scratch));
        command.args([WARM, PAIRS]);
        match self {
            Self::Bare => {}
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
    let mut ways = vec![Way::Bare, Way::Recorded, Way::Exact];
    ways.extend(locks.map(|lock| Way::Substituted(lock.to_owned())));
    ways
}

fn program(scratch: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/stepped_pairs.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-pthread"]).arg(source);
    locktoll_programs::compiled(&compiler, "stepped_pairs", scratch)
}
