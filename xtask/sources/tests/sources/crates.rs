//! Which crate may be built from which.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use xtask_sources::{dependencies, root};

/// Each crate, and the crates of the workspace that it may depend on. Nothing depends on the program, its verbs or the tasks; results
/// know nothing that measures programs or prints; the locks know only how threads wait; the libraries that run inside other programs know neither the lab nor the command line.
const MAY: &[(&str, &[&str])] = &[
    ("crates/waiting", &[]),
    ("crates/tollgate", &["crates/waiting"]),
    ("crates/locks", &["crates/tollgate", "crates/waiting"]),
    ("crates/recording", &[]),
    ("crates/loops", &[]),
    ("crates/lab", &["crates/locks"]),
    ("crates/preload", &["crates/recording"]),
    ("crates/substitute", &["crates/locks"]),
    ("crates/terminal", &[]),
    ("crates/results", &["crates/lab", "crates/terminal"]),
    (
        "crates/shown",
        &["crates/lab", "crates/results", "crates/terminal"],
    ),
    (
        "crates/sources",
        &[
            "crates/lab",
            "crates/loops",
            "crates/recording",
            "crates/results",
            "crates/terminal",
        ],
    ),
    (
        "crates/verbs",
        &[
            "crates/lab",
            "crates/recording",
            "crates/results",
            "crates/shown",
            "crates/sources",
            "crates/substitute",
            "crates/terminal",
        ],
    ),
    ("crates/locktoll", &["crates/terminal", "crates/verbs"]),
    (
        "xtask",
        &[
            "crates/lab",
            "crates/locks",
            "crates/substitute",
            "xtask/sources",
        ],
    ),
    ("xtask/sources", &[]),
];

fn wrong(has: &BTreeMap<PathBuf, BTreeSet<PathBuf>>, may: &[(&str, &[&str])]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (folder, dependencies) in has {
        let name = folder.display().to_string().replace('\\', "/");
        let Some((_, allowed)) = may.iter().find(|(crate_, _)| *crate_ == name) else {
            wrong.push(format!("{name} has no row in MAY: {}", file!()));
            continue;
        };
        for dependency in dependencies {
            if !allowed.iter().any(|it| Path::new(it) == dependency) {
                let dependency = dependency.display();
                wrong.push(format!("{name} -> {dependency}: {name}/Cargo.toml"));
            }
        }
    }
    for (name, _) in may {
        if !has.contains_key(Path::new(name)) {
            wrong.push(format!(
                "{name} is gone: take its row out of MAY in {}",
                file!()
            ));
        }
    }
    wrong
}

#[test]
fn crates_depend_only_on_what_they_may() {
    let wrong = wrong(&dependencies(&root()), MAY);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn each_form_of_a_dependency_is_seen_but_not_those_of_tests() {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let folder = root.path().join("crates").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let package = format!("[package]\nname = \"our-{name}\"\n\n{text}");
        std::fs::write(folder.join("Cargo.toml"), package).unwrap();
    };
    for name in ["a", "b", "c", "d", "e"] {
        write(name, "");
    }
    write(
        "top",
        "[dependencies]\nour-a.workspace = true\nour-b = { path = \"../b\" }\nlibc = \"1\"\n\n\
         [target.'cfg(unix)'.dependencies]\nour-c = { workspace = true, features = [\n    \"x\",\n] }\n\n\
         [dependencies.our-d]\npath = \"../d\"\n\n[dev-dependencies]\nour-e.workspace = true\n",
    );
    let found = dependencies(root.path());
    assert_eq!(
        wrong(
            &found,
            &[("crates/top", &["crates/a"]), ("crates/old", &[])]
        ),
        ["crates/a", "crates/b", "crates/c", "crates/d", "crates/e",]
            .map(|name| format!("{name} has no row in MAY: {}", file!()))
            .into_iter()
            .chain(
                ["b", "c", "d"]
                    .map(|name| format!("crates/top -> crates/{name}: crates/top/Cargo.toml"))
            )
            .chain([format!(
                "crates/old is gone: take its row out of MAY in {}",
                file!()
            )])
            .collect::<Vec<_>>()
    );
}
