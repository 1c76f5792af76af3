//! Documents that others made: of any size, and with any words in them.

use std::fs;
use std::io::Write;

use crate::bench::{Bench, text};
use crate::recorded::Recorded;

const RESULT: &str = include_str!("../page/documents/bench.snap.json");

/// Refused in one line that no terminal obeys.
fn refused(bench: &Bench, words: &[&str], expected: &str) {
    let out = bench.locktoll().args(words).output().unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{words:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: {said}");
    assert!(!said.trim_end().contains(char::is_control), "{said:?}");
}

#[test]
fn a_document_of_any_size_is_refused_unless_that_is_asked_for() {
    let bench = Bench::new();
    fs::write(bench.path("small.json"), RESULT).unwrap();
    let large = fs::File::create(bench.path("large.json")).unwrap();
    (&large).write_all(b"{").unwrap();
    // Without a block on the disk behind most of it.
    large.set_len(64 << 30).unwrap();
    for words in [
        &["report", "large.json"][..],
        &["compare", "small.json", "large.json"],
        &["compare", "small.json", "small.json,large.json"],
    ] {
        refused(&bench, words, "--max-bytes");
    }
    let blanks = fs::File::create(bench.path("blanks.json")).unwrap();
    (&blanks).write_all(&[b' '; 1 << 20]).unwrap();
    refused(
        &bench,
        &["report", "blanks.json"],
        "not a locktoll recording",
    );

    let length = RESULT.len().to_string();
    let words = ["report", "small.json", "--max-bytes"];
    let out = bench.locktoll().args(words).arg(&length).output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let less = (RESULT.len() - 1).to_string();
    let words = ["report", "small.json", "--max-bytes", &less];
    refused(&bench, &words, &format!("{less} bytes"));
}

#[test]
fn what_a_document_says_where_a_known_word_belongs_is_quoted_harmlessly() {
    // Sets the title of a terminal, and moves up to where the prompt was.
    let hostile = serde_json::json!("\u{1b}]0;owned\u{7}\u{1b}[1A");
    let recorded = Recorded::known_locks();
    let mut profile = recorded.profile.clone();
    profile["locks"][0]["kind"] = hostile.clone();
    let comparison = include_str!("../page/documents/compare.snap.json");
    let mut comparison: serde_json::Value = serde_json::from_str(comparison).unwrap();
    comparison["rows"][0]["verdict"] = hostile;
    for document in [profile, comparison] {
        fs::write(recorded.bench.path("hostile.json"), document.to_string()).unwrap();
        refused(&recorded.bench, &["report", "hostile.json"], "owned");
    }
}
