//! A crate written for one test.

use std::path::Path;

use tempfile::TempDir;
use xtask_sources::Map;

/// A workspace in which `crates/made-up` has these files.
pub fn written(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = root.path().join("crates/made-up").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    root
}

/// The map of a crate with these files below its `src`.
pub fn map(files: &[(&str, &str)]) -> Map {
    let below_src: Vec<(String, &str)> = files
        .iter()
        .map(|(name, text)| (format!("src/{name}"), *text))
        .collect();
    let files: Vec<(&str, &str)> = below_src
        .iter()
        .map(|(name, text)| (name.as_str(), *text))
        .collect();
    Map::read(written(&files).path(), Path::new("crates/made-up"))
}

/// The arrows of such a crate as `from -> to FILE:LINE PATH`, without what the root names.
pub fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    let arrows = map(files).arrows;
    arrows
        .iter()
        .filter(|arrow| arrow.from != "(root)")
        .map(|arrow| {
            let file = arrow.file.strip_prefix("crates/made-up/src/").unwrap();
            let (from, to, line, path) = (&arrow.from, &arrow.to, arrow.line, &arrow.path);
            format!("{from} -> {to} {file}:{line} {path}")
        })
        .collect()
}
