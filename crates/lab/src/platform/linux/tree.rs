//! Reading `/proc` and `/sys`, where every file may be missing.

use std::path::PathBuf;
use std::str::FromStr;

/// A root under which system files are read: `/`, or a made-up tree in tests.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    root: PathBuf,
}

impl Tree {
    /// The files of the running system.
    pub(crate) fn system() -> Tree {
        Tree { root: "/".into() }
    }

    #[cfg(test)]
    pub(crate) fn at(root: &std::path::Path) -> Tree {
        Tree { root: root.into() }
    }

    fn path(&self, absolute: &str) -> PathBuf {
        self.root.join(absolute.trim_start_matches('/'))
    }

    /// Returns the whole text of a file, if it can be read and is not empty.
    pub(crate) fn text(&self, absolute: &str) -> Option<String> {
        let bytes = std::fs::read(self.path(absolute)).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(['\0', '\n', ' ', '\t']);
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Reads a file that holds one value.
    pub(crate) fn value<T: FromStr>(&self, absolute: &str) -> Option<T> {
        self.text(absolute)?.parse().ok()
    }

    /// Whether there is such a file.
    pub(crate) fn exists(&self, absolute: &str) -> bool {
        self.path(absolute).exists()
    }

    /// Returns the names in a folder, sorted; none if it cannot be read.
    pub(crate) fn names(&self, absolute: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path(absolute)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        names
    }
}

/// Made-up trees for tests.
#[cfg(test)]
pub(crate) mod fake {
    use super::Tree;

    /// Makes a folder with the given files, removed when dropped, and the tree rooted in it.
    pub(crate) fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Tree) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let tree = Tree::at(folder.path());
        for (path, text) in files {
            let path = tree.path(path);
            std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("mkdir");
            std::fs::write(path, text).expect("write");
        }
        (folder, tree)
    }
}
