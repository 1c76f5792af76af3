//! The locks that take part.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::build::{self, Profile};

/// The lock that is judged.
pub const SUBJECT: &str = "tollgate";

/// Mutexes that block, by the names of `locktoll bench --list`.
pub const PEERS: [&str; 8] = [
    "pthread",
    "pthread-adaptive",
    "std",
    "parking_lot",
    "absl",
    "nsync",
    "tbb-mutex",
    "usync",
];

/// The locks of the program at `locktoll`.
pub fn listed(locktoll: &Path) -> anyhow::Result<Vec<String>> {
    let output = Command::new(locktoll)
        .args(["bench", "--list", "--json"])
        .output()
        .context("cannot start locktoll")?;
    ensure!(output.status.success(), "`locktoll bench --list` failed");
    let list: Value = serde_json::from_slice(&output.stdout)?;
    let locks = list["locks"].as_array().context("a list without locks")?;
    let names = locks.iter().filter_map(|lock| lock["name"].as_str());
    Ok(names.map(str::to_owned).collect())
}

/// What was built, and who could not be.
#[derive(Debug)]
pub struct Built {
    pub locktoll: PathBuf,
    /// The loops over condition variables.
    pub monitors: PathBuf,
    /// A line for each peer that is not here.
    pub missing: Vec<String>,
}

/// A peer that a Debian package has.
struct Packaged {
    lock: &'static str,
    /// The lab's feature that builds it in.
    feature: &'static str,
    header: &'static str,
    debian_package: &'static str,
    is_cxx: bool,
}

const PACKAGED: [Packaged; 3] = [
    Packaged {
        lock: "absl",
        feature: "peer-absl",
        header: "absl/synchronization/mutex.h",
        debian_package: "libabsl-dev",
        is_cxx: true,
    },
    Packaged {
        lock: "tbb-mutex",
        feature: "peer-tbb",
        header: "oneapi/tbb/mutex.h",
        debian_package: "libtbb-dev",
        is_cxx: true,
    },
    Packaged {
        lock: "nsync",
        feature: "peer-nsync",
        header: "nsync.h",
        debian_package: "libnsync-dev",
        is_cxx: false,
    },
];

/// Builds the programs with every peer whose library is here, and says on standard error what is missing.
pub fn build() -> anyhow::Result<Built> {
    let (here, absent): (Vec<&Packaged>, Vec<&Packaged>) =
        PACKAGED.iter().partition(|peer| peer.is_here());
    if !absent.is_empty() {
        let packages: Vec<&str> = absent.iter().map(|peer| peer.debian_package).collect();
        eprintln!(
            "tollgate: some peers are missing; on Debian: apt-get install g++ {}",
            packages.join(" ")
        );
    }
    let features: Vec<&str> = here.iter().map(|peer| peer.feature).collect();
    let (locktoll, monitors) = build::measuring(&features, Profile::Release)?;
    let missing = absent.iter().map(|peer| {
        format!(
            "without {}: {} is not installed",
            peer.lock, peer.debian_package
        )
    });
    Ok(Built {
        locktoll,
        monitors,
        missing: missing.collect(),
    })
}

impl Packaged {
    /// Whether the compiler finds its header.
    fn is_here(&self) -> bool {
        let (variable, usual, language) = match self.is_cxx {
            true => ("CXX", "c++", "c++"),
            false => ("CC", "cc", "c"),
        };
        let compiler = std::env::var_os(variable).unwrap_or_else(|| usual.into());
        let child = Command::new(compiler)
            .args([
                "-E",
                "-x",
                language,
                "-include",
                self.header,
                "/dev/null",
                "-o",
                "/dev/null",
            ])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .status();
        child.is_ok_and(|status| status.success())
    }
}
