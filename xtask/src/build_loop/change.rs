//! The file of a crate that is changed, and how.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use xtask_sources::{Leaf, leaves};

use super::options::Options;
use super::tree::Tree;

/// A file that is changed for a while.
pub struct Change {
    /// The folder of its crate, relative to the checkout.
    pub folder: PathBuf,
    pub leaf: Leaf,
    original: String,
}

impl Change {
    fn new(tree: &Tree, folder: &Path, leaf: Leaf) -> anyhow::Result<Change> {
        let original = fs::read_to_string(tree.folder.join(&leaf.file))?;
        Ok(Change {
            folder: folder.to_owned(),
            leaf,
            original,
        })
    }

    /// Makes a function do something else than before, in the same lines.
    pub fn make(&self, tree: &Tree, number: usize) -> anyhow::Result<()> {
        let changed = changed(&self.original, self.leaf.body, number)
            .with_context(|| format!("{} has changed meanwhile", self.leaf.file))?;
        Ok(fs::write(tree.folder.join(&self.leaf.file), changed)?)
    }

    pub fn revert(&self, tree: &Tree) -> anyhow::Result<()> {
        Ok(fs::write(
            tree.folder.join(&self.leaf.file),
            &self.original,
        )?)
    }
}

fn changed(text: &str, (line, column): (usize, usize), number: usize) -> Option<String> {
    let before: usize = text
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    let rest = text.get(before..)?;
    let within = rest.char_indices().nth(column).map(|(at, _)| at)?;
    let (head, tail) = text.split_at(before + within);
    head.ends_with('{')
        .then(|| format!("{head}core::hint::black_box({number}_usize);{tail}"))
}

/// One file of each crate that was asked for, or those files.
pub fn changes(tree: &Tree, folders: &[PathBuf], options: &Options) -> anyhow::Result<Vec<Change>> {
    let mut changes = Vec::new();
    let mut found = Vec::new();
    for folder in folders {
        let leaves = leaves(&tree.folder, folder);
        let is_wanted = |leaf: &Leaf| options.files.iter().any(|file| leaf.file.ends_with(file));
        if !options.files.is_empty() {
            for leaf in leaves.into_iter().filter(is_wanted) {
                found.push(leaf.file.clone());
                changes.push(Change::new(tree, folder, leaf)?);
            }
        } else if options.crates.is_empty() || options.crates.iter().any(|it| folder.ends_with(it))
        {
            found.push(folder.display().to_string());
            if let Some(leaf) = chosen(leaves) {
                changes.push(Change::new(tree, folder, leaf)?);
            }
        }
    }
    for asked in options.files.iter().chain(&options.crates) {
        if !found.iter().any(|it| it.ends_with(asked.as_str())) {
            bail!("there is nothing to change in {asked}: no such crate or leaf of one");
        }
    }
    Ok(changes)
}

/// Of a crate with verbs the largest file of a verb, otherwise its largest one: the worst that one file can do.
fn chosen(leaves: Vec<Leaf>) -> Option<Leaf> {
    leaves
        .into_iter()
        .max_by_key(|leaf| (is_of_verb(leaf), leaf.code))
}

pub fn is_of_verb(leaf: &Leaf) -> bool {
    leaf.room.starts_with("verbs/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_stands_at_the_beginning_of_the_body() {
        let text = "// ä\nfn f() -> u8 { 1 }\n";
        assert_eq!(
            changed(text, (2, 14), 7).unwrap(),
            "// ä\nfn f() -> u8 {core::hint::black_box(7_usize); 1 }\n"
        );
        assert_eq!(changed(text, (2, 9), 7), None);
        assert_eq!(changed(text, (9, 9), 7), None);
    }

    #[test]
    fn a_file_of_a_verb_is_chosen_first() {
        let leaf = |room: &str, code| Leaf {
            file: String::new(),
            room: room.to_owned(),
            code,
            body: (1, 0),
        };
        let leaves = vec![
            leaf("report", 300),
            leaf("verbs/bench", 90),
            leaf("verbs/top", 100),
        ];
        assert_eq!(chosen(leaves).unwrap().room, "verbs/top");
    }
}
