//! The manual pages and the completion scripts as files.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use super::build;

/// The verbs that have a page.
const VERBS: [&str; 17] = [
    "tour",
    "machine",
    "bench",
    "reproduce",
    "record",
    "report",
    "compare",
    "try",
    "whatif",
    "advise",
    "attach",
    "hang",
    "kernel",
    "top",
    "doctor",
    "completions",
    "licences",
];

/// Writes them all into `folder`.
pub fn run(folder: &Path) -> anyhow::Result<()> {
    write(&build::locktoll()?, folder)
}

/// Writes those of this program.
pub fn write(locktoll: &Path, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let write = |file: &str, words: &[&str]| -> anyhow::Result<()> {
        let output = Command::new(locktoll).args(words).output()?;
        ensure!(
            output.status.success(),
            "locktoll {} failed",
            words.join(" ")
        );
        fs::write(folder.join(file), output.stdout)?;
        Ok(())
    };
    write("locktoll.1", &["man"])?;
    for verb in VERBS {
        write(&format!("locktoll-{verb}.1"), &["man", verb])?;
    }
    write("locktoll.bash", &["completions", "bash"])?;
    write("_locktoll", &["completions", "zsh"])?;
    write("locktoll.fish", &["completions", "fish"])
}
