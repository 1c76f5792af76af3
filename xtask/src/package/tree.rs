//! A copy of the checkout in an empty folder, with the files that published crates need from outside their own folders.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use super::carried;
use crate::build::top;

/// Copies all files that git knows or would add, as they are in the work tree, into the empty folder `tree`, and completes the
/// crates there.
pub fn staged(tree: &Path) -> anyhow::Result<()> {
    emptied(tree)?;
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(top())
        .output()
        .context("cannot start git")?;
    ensure!(
        listed.status.success(),
        "git ls-files failed: the crates are packed from a checkout"
    );
    let names = String::from_utf8(listed.stdout).context("a file's name is not UTF-8")?;
    for name in names.split_terminator('\0') {
        let from = top().join(name);
        // A file that was deleted and not committed; a link's text is its target's.
        if !from.is_file() {
            continue;
        }
        let to = tree.join(name);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(&from, &to).with_context(|| format!("cannot copy {name}"))?;
    }
    claims(tree)?;
    carried::write(tree)
}

/// Makes `folder` an empty folder.
pub fn emptied(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Puts the published claims into the crate whose build script embeds them.
fn claims(tree: &Path) -> anyhow::Result<()> {
    let packed = tree.join("crates/verbs/experiments");
    fs::create_dir_all(&packed)?;
    for entry in fs::read_dir(tree.join("experiments"))? {
        let path = entry?.path();
        if let (Some(name), Some("toml")) = (
            path.file_name(),
            path.extension().and_then(|ending| ending.to_str()),
        ) {
            fs::copy(&path, packed.join(name))?;
        }
    }
    Ok(())
}
