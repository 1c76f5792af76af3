//! How long files and functions are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::crate_tree::CrateTree;
use crate::function::Function;
use crate::rust;
use crate::scan::{self, Language};

/// Folders whose files are not product, wherever they are: tests, what measures, models, others' and generated files.
const NOT_PRODUCT: [&str; 10] = [
    "tests",
    "benches",
    "examples",
    "models",
    "snapshots",
    "fuzz",
    "vendor",
    "built",
    "target",
    "node_modules",
];

/// Folders that are not even ours, or not kept.
const NOT_OURS: [&str; 4] = ["vendor", "built", "target", "node_modules"];

/// A file that is product at least in part.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Relative to the workspace, with forward slashes.
    pub file: String,
    /// All its lines.
    pub lines: usize,
    /// Lines with code of the product: no blank lines, comments, or items that only tests see.
    pub code: usize,
    /// Functions of the product.
    pub functions: Vec<Function>,
}

/// The product files of the crate in `folder`, which is relative to the workspace's `root`.
pub fn product_files(root: &Path, folder: &Path) -> Vec<Counted> {
    let mut counted = Vec::new();
    let trees = [
        CrateTree::read(root, folder),
        CrateTree::read_root(root, &root.join(folder).join("build.rs")),
    ];
    let mut seen = BTreeSet::new();
    for file in trees.into_iter().flat_map(|tree| tree.files) {
        // A file of another crate, by `#[path]`, is that one's.
        let is_own = !file.file.contains("/../");
        if is_own && !file.tokens.is_empty() && seen.insert(file.file.clone()) {
            counted.push(Counted {
                lines: file.text.lines().count(),
                code: rust::code_lines(&file.text, &file.tokens),
                functions: rust::functions(&file.text, &file.tokens),
                file: file.file,
            });
        }
    }
    for (path, language) in other_languages(&root.join(folder)) {
        let text = text(&path);
        let shown = path.strip_prefix(root).unwrap_or(&path);
        counted.push(Counted {
            file: shown.display().to_string().replace('\\', "/"),
            lines: text.lines().count(),
            code: scan::code_lines(language, &text),
            functions: scan::functions(language, &text),
        });
    }
    counted.sort_by(|a, b| a.file.cmp(&b.file));
    counted
}

/// All lines of all sources below a folder, tests and blank lines too.
pub fn total_lines(folder: &Path) -> usize {
    let is_source =
        |path: &PathBuf| extension(path) == "rs" || Language::of(&extension(path)).is_some();
    let files = files(folder, &NOT_OURS);
    files
        .iter()
        .filter(|path| is_source(path))
        .map(|path| text(path).lines().count())
        .sum()
}

fn other_languages(folder: &Path) -> Vec<(PathBuf, Language)> {
    files(folder, &NOT_PRODUCT)
        .into_iter()
        .filter_map(|path| {
            let language = Language::of(&extension(&path))?;
            Some((path, language))
        })
        .collect()
}

fn extension(path: &Path) -> String {
    path.extension()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder, without those in folders of these names and without crates within the crate.
fn files(folder: &Path, without: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if !path.is_dir() {
            found.push(path);
        } else if !without.iter().any(|it| *it == name) && !path.join("Cargo.toml").is_file() {
            found.extend(files(&path, without));
        }
    }
    found
}
