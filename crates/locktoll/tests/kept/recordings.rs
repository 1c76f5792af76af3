//! Recordings: `known_locks`, recorded by each version of the format.

use locktoll_recording::layout::{MAJOR, MINOR};
use serde_json::Value;

use crate::{all, document, kept, output};

const ENDING: &str = ".locktoll";

/// Returns the version of the format, from the file's name: `recording-1.4.locktoll`.
fn version(name: &str) -> (u16, u16) {
    let version = name
        .trim_start_matches("recording-")
        .trim_end_matches(ENDING);
    let (major, minor) = version.split_once('.').unwrap();
    (major.parse().unwrap(), minor.parse().unwrap())
}

#[test]
fn there_is_one_of_each_version_that_was_ever_written() {
    let versions: Vec<(u16, u16)> = all(ENDING).iter().map(|name| version(name)).collect();
    // No version 1.1 was written outside of the day on which it became 1.2.
    let minors = (0..=MINOR).filter(|minor| *minor != 1);
    let wanted: Vec<(u16, u16)> = minors.map(|minor| (MAJOR, minor)).collect();
    assert_eq!(
        versions, wanted,
        "a new version of the format needs a recording in tests/kept; its README says how to make one"
    );
}

#[test]
fn the_name_of_each_is_the_version_in_it() {
    for name in all(ENDING) {
        let bytes = std::fs::read(kept(&name)).unwrap();
        // `layout::Header` begins with the magic of eight bytes, then come the two numbers.
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        assert_eq!((number(8), number(10)), version(&name), "{name}");
    }
}

fn lock<'a>(profile: &'a Value, name: &str, file: &str) -> &'a Value {
    let locks = profile["locks"].as_array().unwrap();
    let found = locks.iter().find(|lock| lock["name"] == name);
    found.unwrap_or_else(|| panic!("{file}: no {name} in {locks:#?}"))
}

#[test]
fn all_locks_are_found_with_their_counts_names_and_places() {
    for file in all(ENDING) {
        let profile = document(&file);
        for (name, acquisitions) in [
            ("hot_lock", 40_000),
            ("cold_lock", 7),
            ("slow_lock", 2),
            ("busy_lock", 1),
        ] {
            let lock = lock(&profile, name, &file);
            assert_eq!(lock["acquisitions"], acquisitions, "{file}: {name}");
            assert_eq!(lock["kind"], "mutex", "{file}: {name}");
        }
        assert_eq!(
            lock(&profile, "busy_lock", &file)["try_failed"],
            5,
            "{file}"
        );
        // The waiter waits for the rest of 200 ms.
        let slow = lock(&profile, "slow_lock", &file);
        assert_eq!(slow["contended"], 1, "{file}");
        assert!(
            slow["wait_ns"]["total"].as_u64() > Some(100_000_000),
            "{file}"
        );
        let blame = &slow["blame"][0];
        assert_eq!(blame["waiter"][0]["function"], "wait_for_slow", "{file}");
        assert_eq!(blame["holder"][0]["function"], "hold_slowly", "{file}");
    }
}

#[test]
fn every_form_shows_every_one() {
    for file in all(ENDING) {
        let path = kept(&file);
        let path = path.to_string_lossy();
        for form in ["text", "html", "csv", "folded", "svg"] {
            let shown = output(&["report", &path, "--format", form]);
            assert!(
                shown.contains("slow_lock") || form == "folded" || form == "svg",
                "{file} as {form}"
            );
            assert!(
                shown.contains("wait_for_slow") || form == "csv",
                "{file} as {form}"
            );
        }
    }
}
