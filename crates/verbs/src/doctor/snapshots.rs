//! The text for made-up systems.

use insta::assert_snapshot;

use super::judged;
use crate::diagnosis::{Reading, made_up};
use locktoll_results::doctor::Verb;
use locktoll_shown::Shown;

/// Returns the text without colours. Only commands, which are there to be copied, may be wide.
fn plain(reading: &Reading, asked: Option<Verb>) -> String {
    let result = judged(reading, asked);
    let page = anstream::adapter::strip_str(&result.text()).to_string();
    let commands: Vec<&String> = result
        .findings
        .iter()
        .filter_map(|finding| finding.remedy.as_ref())
        .flat_map(|remedy| &remedy.commands)
        .collect();
    for line in page.lines() {
        let command = commands.iter().any(|command| line.trim() == **command);
        assert!(command || line.chars().count() <= 100, "{line}");
        assert_eq!(line, line.trim_end());
    }
    page
}

#[test]
fn a_server_as_root() {
    assert_snapshot!(plain(&made_up::server(), None));
}

#[test]
fn a_laptop_without_privileges() {
    assert_snapshot!(plain(&made_up::laptop(), None));
}

#[test]
fn a_container_as_docker_starts_it() {
    assert_snapshot!(plain(&made_up::container(), None));
}

#[test]
fn an_old_kernel() {
    assert_snapshot!(plain(&made_up::old_kernel(), None));
}

#[test]
fn a_locked_down_kernel() {
    assert_snapshot!(plain(&made_up::locked_down(), None));
}

#[test]
fn one_verb_of_the_laptop() {
    assert_snapshot!(plain(&made_up::laptop(), Some(Verb::Attach)));
}

#[test]
fn the_document_for_scripts() {
    let result = judged(&made_up::laptop(), Some(Verb::Kernel));
    let mut document = result.json().unwrap();
    // These two have their own tests, and change with every commit and field.
    document["version"] = "VERSION".into();
    document["machine"] = "MACHINE".into();
    assert_snapshot!(format!("{document:#}"));
}
