//! The table of dependencies in CONTRIBUTING.md, against the manifests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// The packages of others that the manifests below `top` name.
fn in_manifests(top: &Path) -> BTreeSet<String> {
    let mut folders: Vec<PathBuf> = vec![top.join("xtask")];
    for parent in ["crates", "tests", "xtask"] {
        let entries = fs::read_dir(top.join(parent)).unwrap();
        folders.extend(entries.map(|entry| entry.unwrap().path()));
    }
    let manifests: Vec<Table> = folders
        .iter()
        .filter_map(|folder| fs::read_to_string(folder.join("Cargo.toml")).ok())
        .map(|text| toml::from_str(&text).unwrap())
        .collect();
    let own: BTreeSet<&str> = manifests
        .iter()
        .filter_map(|manifest| manifest["package"]["name"].as_str())
        .collect();
    let mut names = BTreeSet::new();
    for manifest in &manifests {
        let targets = manifest.get("target").and_then(Value::as_table);
        let targets = targets.into_iter().flat_map(|all| all.values());
        for part in targets.filter_map(Value::as_table).chain([manifest]) {
            for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
                let section = part.get(kind).and_then(Value::as_table);
                names.extend(section.into_iter().flat_map(|all| all.keys().cloned()));
            }
        }
    }
    names.retain(|name| !own.contains(name.as_str()));
    names
}

/// The packages in the first column of the table below the heading.
fn in_table(text: &str) -> BTreeSet<String> {
    let section = text.split("\n## Dependencies\n").nth(1).unwrap_or_default();
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let names = rows.flat_map(|line| line.split(" | ").next().unwrap_or_default().split('`'));
    names
        .filter(|name| !name.trim_matches([' ', ',', '|']).is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn each_direct_dependency_has_its_reason() {
    let top = crate::build::top();
    let manifests = in_manifests(top);
    assert!(manifests.len() > 40, "{manifests:?}");
    let table = in_table(&fs::read_to_string(top.join("CONTRIBUTING.md")).unwrap());
    let without: Vec<_> = manifests.difference(&table).collect();
    let gone: Vec<_> = table.difference(&manifests).collect();
    assert!(
        without.is_empty() && gone.is_empty(),
        "CONTRIBUTING.md, Dependencies: without a reason: {without:?}; no longer used: {gone:?}"
    );
}

#[test]
fn a_row_may_name_several_packages() {
    let text = "\n## Dependencies\n\n| package | reason |\n|---|---|\n| `a`, `b-c` | x `d` |\n\n## Next\n| `e` | x |\n";
    let names: Vec<String> = in_table(text).into_iter().collect();
    assert_eq!(names, ["a", "b-c"]);
}
