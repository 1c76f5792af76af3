//! The direct dependencies in the manifests, against the table in CONTRIBUTING.md and the versions in Cargo.lock.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// The manifests of the workspace's crates below `top`.
fn manifests(top: &Path) -> Vec<Table> {
    let mut folders: Vec<PathBuf> = vec![top.join("xtask")];
    for parent in ["crates", "tests", "xtask"] {
        let entries = fs::read_dir(top.join(parent)).unwrap();
        folders.extend(entries.map(|entry| entry.unwrap().path()));
    }
    folders
        .iter()
        .filter_map(|folder| fs::read_to_string(folder.join("Cargo.toml")).ok())
        .map(|text| toml::from_str(&text).unwrap())
        .collect()
}

/// The dependencies of a manifest, with what it says about each.
fn dependencies(manifest: &Table) -> impl Iterator<Item = (&String, &Value)> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(|all| all.values());
    let parts = targets.filter_map(Value::as_table).chain([manifest]);
    parts.flat_map(|part| {
        let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
        let sections = kinds.map(|kind| part.get(kind).and_then(Value::as_table));
        sections.into_iter().flatten().flatten()
    })
}

/// The packages of others that the manifests below `top` name.
fn in_manifests(top: &Path) -> BTreeSet<String> {
    let manifests = manifests(top);
    let own: BTreeSet<&str> = manifests
        .iter()
        .filter_map(|manifest| manifest["package"]["name"].as_str())
        .collect();
    let names = manifests
        .iter()
        .flat_map(dependencies)
        .map(|(name, _)| name);
    names
        .filter(|name| !own.contains(name.as_str()))
        .cloned()
        .collect()
}

/// Returns the dependencies that would accept an older version than the locked one.
fn older_accepted<'a>(
    dependencies: impl Iterator<Item = (&'a String, &'a Value)>,
    locked: &BTreeSet<(String, String)>,
) -> Vec<String> {
    let mut found = Vec::new();
    for (name, said) in dependencies {
        let version = match said {
            Value::String(version) => Some(version.as_str()),
            said if said.get("path").is_some() => None,
            said => said.get("version").and_then(Value::as_str),
        };
        let package = said.get("package").and_then(Value::as_str).unwrap_or(name);
        // `=1.2.3` accepts that version alone.
        let least = |version: &str| version.trim_start_matches('=').to_owned();
        let is_locked = |version: &str| locked.contains(&(package.to_owned(), least(version)));
        if let Some(version) = version.filter(|it| !is_locked(it)) {
            found.push(format!("{package} {version}"));
        }
    }
    found
}

/// Name and version of each package in Cargo.lock. A requirement does not contain the metadata behind a `+`.
fn locked(text: &str) -> BTreeSet<(String, String)> {
    let lock: Table = toml::from_str(text).unwrap();
    let packages = lock["package"].as_array().unwrap().iter();
    packages
        .map(|it| {
            let of = |field: &str| it[field].as_str().unwrap_or_default();
            let version = of("version").split('+').next().unwrap_or_default();
            (of("name").to_owned(), version.to_owned())
        })
        .collect()
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

/// So what CI builds and tests is also what someone gets who builds with the least versions of the direct dependencies.
#[test]
fn the_least_version_of_each_direct_dependency_is_the_locked_one() {
    let top = crate::build::top();
    let read = |file: &str| fs::read_to_string(top.join(file)).unwrap();
    let locked = locked(&read("Cargo.lock"));
    let whole: Table = toml::from_str(&read("Cargo.toml")).unwrap();
    let shared = whole["workspace"]["dependencies"].as_table().unwrap();
    let manifests = manifests(top);
    let all = manifests.iter().flat_map(dependencies).chain(shared);
    let older = older_accepted(all, &locked);
    assert!(
        older.is_empty(),
        "these requirements accept versions that nobody tested; write the version that Cargo.lock has: {older:?}"
    );
}

#[test]
fn a_requirement_without_its_patch_version_is_found() {
    let locked = locked("[[package]]\nname = \"a\"\nversion = \"1.2.3+x\"\n");
    let manifest = |version: &str| {
        let text = format!("[build-dependencies]\na = {version}\nown = {{ path = \"x\" }}\n");
        toml::from_str::<Table>(&text).unwrap()
    };
    let older = |version: &str| older_accepted(dependencies(&manifest(version)), &locked);
    assert_eq!(older("\"1.2\""), ["a 1.2"]);
    assert_eq!(older("{ version = \"1.2.2\" }"), ["a 1.2.2"]);
    assert!(older("\"1.2.3\"").is_empty());
}
