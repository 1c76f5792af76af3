//! Results: one of each schema that was saved by an early version, or by the first that had it.

use std::collections::BTreeSet;

use locktoll_results::Kind;
use serde_json::Value;

use crate::{all, document, kept, output};

const ENDING: &str = ".json";

/// Locks that had another name on 22 November: what is read has the name of today.
const RENAMED: [(&str, &str); 5] = [
    ("futex2-spin0", "futex2:0"),
    ("futex2-spin100", "futex2:100"),
    ("futex3-spin0", "futex3:0"),
    ("futex3-spin100", "futex3:100"),
    ("gate-pthread", "gate"),
];

#[test]
fn there_is_one_of_each_schema() {
    let mut kinds = BTreeSet::new();
    for name in all(ENDING) {
        let text = std::fs::read_to_string(kept(&name)).unwrap();
        let saved: Value = serde_json::from_str(&text).unwrap();
        let schema = saved["schema"].as_str().unwrap().to_owned();
        assert!(
            schema.starts_with("locktoll.") && schema.ends_with("/1"),
            "{name}: {schema}"
        );
        kinds.insert(schema);
    }
    let wanted = Kind::ALL.map(|kind| format!("locktoll.{}/1", kind.name()));
    assert_eq!(
        kinds,
        wanted.into_iter().collect(),
        "a new schema needs a result in tests/kept; its README says how to make one"
    );
}

/// What a saved result has, and whether this version still shows it.
#[test]
fn no_figure_is_lost() {
    for name in all(ENDING) {
        let text = std::fs::read_to_string(kept(&name)).unwrap();
        let before: Value = serde_json::from_str(&text).unwrap();
        let after = document(&name);
        let lost = lost("", &before, &after);
        assert_eq!(lost, [""; 0], "{name}");
    }
}

/// Returns the places whose values differ or are gone. What was added since is no matter.
fn lost(place: &str, before: &Value, after: &Value) -> Vec<String> {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => before
            .iter()
            .flat_map(|(name, before)| {
                let after = after.get(name).unwrap_or(&Value::Null);
                lost(&format!("{place}.{name}"), before, after)
            })
            .collect(),
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            let pairs = before.iter().zip(after).enumerate();
            pairs
                .flat_map(|(at, (before, after))| lost(&format!("{place}[{at}]"), before, after))
                .collect()
        }
        (Value::Number(before), Value::Number(after)) if before.as_f64() == after.as_f64() => {
            Vec::new()
        }
        (before, after) if before == after || is_renamed(before, after) => Vec::new(),
        _ => vec![format!("{place}: {before} became {after}")],
    }
}

/// Whether the two are an earlier name of a lock and its name of today.
fn is_renamed(before: &Value, after: &Value) -> bool {
    RENAMED
        .iter()
        .any(|(old, new)| before == old && after == new)
}

#[test]
fn every_one_is_shown_as_text_and_as_a_page() {
    for name in all(ENDING) {
        let path = kept(&name);
        let path = path.to_string_lossy();
        let text = output(&["report", &path]);
        assert!(text.lines().count() > 3, "{name}: {text}");
        let page = output(&["report", &path, "--format", "html"]);
        assert!(
            page.starts_with("<!DOCTYPE html>") || page.starts_with("<!doctype html>"),
            "{name}"
        );
    }
}
