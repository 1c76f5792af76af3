//! The pages of documentation in the workspace.

use std::path::{Component, Path, PathBuf};

use anyhow::Context;

/// Folders that are not documentation of ours: what is built, and what others wrote.
const LEFT_OUT: [&str; 4] = ["target", ".git", "vendor", "node_modules"];

/// The root of the checkout.
pub fn root() -> PathBuf {
    plain(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

/// Returns every `.md` file below `root`, in order, as paths relative to it.
///
/// # Errors
/// If a folder cannot be read.
pub fn all(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(root, Path::new(""), &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(root: &Path, below: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let folder = root.join(below);
    let entries = std::fs::read_dir(&folder);
    for entry in entries.with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        let path = below.join(&name);
        let kind = entry.file_type()?;
        if kind.is_dir() && !LEFT_OUT.iter().any(|left_out| name == *left_out) {
            collect(root, &path, found)?;
        } else if kind.is_file() && path.extension().is_some_and(|it| it == "md") {
            found.push(path);
        }
    }
    Ok(())
}

/// Returns the path without `.` and `..`, as far as its own names allow.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
