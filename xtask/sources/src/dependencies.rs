//! Which crate of the workspace depends on which, as `Cargo.toml` says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::workspace::crates;

/// For each crate by its folder: the folders of the crates of the workspace that it is built from. What only its tests
/// use does not count.
pub fn dependencies(root: &Path) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let manifests: Vec<(PathBuf, String)> = crates(root)
        .into_iter()
        .map(|folder| {
            let file = root.join(&folder).join("Cargo.toml");
            let text = std::fs::read_to_string(&file)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            (folder, text)
        })
        .collect();
    let folders: BTreeMap<String, PathBuf> = manifests
        .iter()
        .filter_map(|(folder, text)| Some((package(text)?, folder.clone())))
        .collect();
    let of = |text: &str| {
        let names = dependency_names(text);
        names
            .iter()
            .filter_map(|name| folders.get(name).cloned())
            .collect()
    };
    manifests
        .iter()
        .map(|(folder, text)| (folder.clone(), of(text)))
        .collect()
}

/// The lines below each `[section]`.
fn lines(manifest: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut section = "";
    manifest.lines().map(move |line| {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            section = name;
            return (section, "");
        }
        (section, line)
    })
}

fn package(manifest: &str) -> Option<String> {
    lines(manifest)
        .filter(|(section, _)| *section == "package")
        .find_map(|(_, line)| value(line, "name"))
}

fn value(line: &str, key: &str) -> Option<String> {
    let (name, value) = line.split_once('=')?;
    (name.trim() == key).then(|| value.trim().trim_matches('"').to_owned())
}

fn dependency_names(manifest: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (section, line) in lines(manifest) {
        let plain = ["dependencies", "build-dependencies"];
        let is_list = |it: &str| {
            plain
                .iter()
                .any(|list| it == *list || it.ends_with(&format!(".{list}")))
        };
        if is_list(section) {
            let end = line.find(['.', '=', ' ']).unwrap_or(0);
            names.insert(line[..end].to_owned());
        } else if let Some((list, name)) = section.rsplit_once('.')
            && is_list(list)
        {
            names.insert(name.to_owned());
        }
    }
    names
}
