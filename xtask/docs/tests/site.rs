//! The site: every page of the documentation is in it, and no link of it leads nowhere.

use std::path::{Path, PathBuf};

use xtask_docs::links::faults;
use xtask_docs::pages::{all, root};
use xtask_docs::site::{self, SOURCE, refusals, write};

#[test]
fn the_sources_of_the_site_have_every_page_and_no_broken_link() {
    let folder = tempfile::tempdir().unwrap();
    let pages = write(&root(), folder.path()).unwrap();
    let source = folder.path().join(SOURCE);
    for page in all(&root()).unwrap() {
        if page.parent() == Some(Path::new("docs")) {
            assert!(pages.contains(&page), "{} is missing", page.display());
        }
    }
    // mdBook makes a page of each that its table of contents names, and leaves out the others.
    let summary = std::fs::read_to_string(source.join("SUMMARY.md")).unwrap();
    for page in &pages {
        let named = summary.contains(&format!("]({})", page.display()));
        assert!(named, "SUMMARY.md does not name {}", page.display());
    }
    let written: Vec<PathBuf> = all(&source).unwrap();
    let faults = faults(&source, &written).unwrap();
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "\n{}", lines.join("\n"));
}

#[test]
fn there_is_a_page_for_each_refusal_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    write(&root(), folder.path()).unwrap();
    let tested = std::fs::read_to_string(root().join("crates/locktoll/tests/refusals.rs")).unwrap();
    let (_, list) = tested.split_once("const REFUSED").unwrap();
    let count = list.split("];").next().unwrap().matches("\n    \"").count();
    let pages = std::fs::read_dir(folder.path().join("src/docs/refusals")).unwrap();
    assert_eq!(pages.count(), count);
}

#[test]
fn a_refusal_is_read_with_its_exit_code() {
    let snapshot = "---\nsource: x\n---\n$ locktoll a b\nlocktoll: no\n\n$ locktoll c (unsupported)\nlocktoll: not here\n";
    let found = refusals(snapshot).unwrap();
    let codes: Vec<(&str, u8)> = found
        .iter()
        .map(|it| (it.words.as_str(), it.code))
        .collect();
    assert_eq!(codes, [("a b", 2), ("c", 3)]);
    assert_eq!(found[1].message, "locktoll: not here");
    assert!(refusals("no head").is_err());
}

#[test]
fn mdbook_makes_a_site_without_broken_links() {
    if !locktoll_needs::programs(&["mdbook"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    site::run(Some(folder.path())).unwrap();
    let first = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(
        first.contains("<h1") && first.contains("locktoll"),
        "{first}"
    );
}
