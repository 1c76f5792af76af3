//! What must not be built again: by a new commit, and by a change of the preload library.

use std::path::Path;

use xtask_sources::{crates, product_files};

use super::builds::Build;
use super::change::changes;
use super::options::Options;
use super::tree::Tree;

/// A unit with more code than this does more than link what others compiled.
const MERE_LINKING: usize = 1_000;

/// Both checks, a line each.
pub fn report(tree: &Tree) -> anyhow::Result<Vec<String>> {
    tree.build("settle")?;
    tree.commit("A new hash")?;
    let commit = tree.build("new-commit")?;
    let only_links = commit
        .rebuilt
        .iter()
        .all(|unit| tree.code(unit) <= MERE_LINKING);
    let held = if only_links { "kept" } else { "broken" };
    let mut lines = vec![format!(
        "a new commit rebuilds nothing but the last link: {held} ({})",
        cost(tree, &commit)
    )];

    let preload = Path::new("crates/preload");
    if tree.folder.join(preload).is_dir() {
        let options = Options::read(&["--crate", "preload"])?;
        for change in changes(tree, &[preload.to_owned()], &options)? {
            tree.build("settle")?;
            change.make(tree, 1)?;
            let build = tree.build("changed-preload");
            change.revert(tree)?;
            let file = &change.leaf.file;
            lines.push(format!(
                "a change of {file} rebuilds: {}",
                cost(tree, &build?)
            ));
        }
    }
    Ok(lines)
}

fn cost(tree: &Tree, build: &Build) -> String {
    let program: usize = crates(&tree.folder)
        .iter()
        .filter(|folder| folder.starts_with("crates"))
        .flat_map(|folder| product_files(&tree.folder, folder))
        .map(|file| file.code)
        .sum();
    let code: usize = build.rebuilt.iter().map(|unit| tree.code(unit)).sum();
    let seconds = build.done.time.as_secs_f64();
    let units = tree.units(&build.rebuilt);
    format!("{seconds:.1} s, {code} of {program} lines: {units}")
}
