//! A recording that was made on Linux: its names are in it.
//!
//! `known_locks.locktoll.gz` is `locktoll record -- known_locks`, the program in `tests/programs/known_locks.c`, compressed
//! by gzip(1).

use std::io::Read;
use std::path::PathBuf;

use flate2::read::GzDecoder;

use crate::program::{is_refused, parsed, printed};

fn recording(folder: &tempfile::TempDir) -> PathBuf {
    let mut whole = Vec::new();
    let mut packed = GzDecoder::new(&include_bytes!("known_locks.locktoll.gz")[..]);
    packed.read_to_end(&mut whole).unwrap();
    let file = folder.path().join("known_locks.locktoll");
    std::fs::write(&file, whole).unwrap();
    file
}

#[test]
fn it_is_shown_with_the_names_that_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let file = recording(&folder);
    let file = file.to_str().unwrap();
    let page = printed(&["report", file]);
    for name in [
        "slow_lock",
        "hot_lock",
        "wait_for_slow (known_locks.c:55)",
        "hold_slowly",
    ] {
        assert!(page.contains(name), "{name}: {page}");
    }
    let profile = parsed(&printed(&["report", file, "--json"]));
    assert_eq!(profile["schema"], "locktoll.profile/1");
    let locks = profile["locks"].as_array().unwrap();
    let hot = locks
        .iter()
        .find(|lock| lock["name"] == "hot_lock")
        .unwrap();
    assert_eq!(hot["acquisitions"], 40_000);
    assert_eq!(profile["processes"][0]["command"][0], "known_locks");
    for (form, begins) in [
        ("csv", ""),
        ("folded", ""),
        ("svg", "<?xml"),
        ("html", "<!doctype html>"),
    ] {
        let shown = printed(&["report", file, "--format", form]);
        assert!(
            shown.starts_with(begins) && shown.contains("slow_lock"),
            "{form}"
        );
    }
    let same = parsed(&printed(&["compare", file, file, "--json"]));
    assert!(!same["rows"].as_array().unwrap().is_empty());
}

#[test]
fn damage_and_absence_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.locktoll");
    std::fs::write(&file, b"#!/bin/sh\n").unwrap();
    is_refused(&["report", file.to_str().unwrap()], 2, "record");
    is_refused(&["report", "no-such-file"], 2, "does not exist");
    is_refused(&["report", folder.path().to_str().unwrap()], 2, "directory");
}
