//! Code that is hard to examine: one sentence or one name says so, and nothing is invented.

use serde_json::Value;

use crate::bench::Bench;

/// Records `spins_hard.c`, with enough samples for the notes. `None`, and the test is skipped, if the kernel does not permit what the
/// program or the recorder needs.
fn recorded(way: &str) -> Option<Value> {
    let bench = Bench::new();
    let program = bench.built("spins_hard.c", &["-O1"]);
    let (printed, profile) = bench.profile_at("1999", &program, &[way])?;
    if printed.starts_with(b"refused") {
        locktoll_needs::refused("code in writable memory, or watchpoints");
        return None;
    }
    Some(profile)
}

fn rows(profile: &Value) -> &[Value] {
    profile["spinning"].as_array().map_or(&[], |it| it)
}

/// Whether a note contains `words`; each note is there once.
fn notes(profile: &Value, words: &str) -> usize {
    let notes = profile["warnings"].as_array().unwrap().iter();
    notes
        .filter(|it| it.as_str().unwrap().contains(words))
        .count()
}

fn word_names(profile: &Value) -> Vec<&str> {
    let names = rows(profile).iter().map(|row| &row["word"]["name"]);
    names.filter_map(Value::as_str).collect()
}

#[test]
fn jitted_code_without_a_name_has_its_address() {
    let Some(profile) = recorded("jitted") else {
        return;
    };
    let mut found = rows(&profile)
        .iter()
        .filter(|row| row["word"]["name"] == "words");
    let row = found.next().unwrap_or_else(|| panic!("{profile:#}"));
    let site = &row["site"];
    assert!(
        site["function"].is_null() && site["file"].is_null(),
        "{row:#}"
    );
    assert_eq!(site["module"], "[anon]", "{row:#}");
    assert!(site["offset"].as_u64() > Some(0x1000), "{row:#}");
}

#[test]
fn code_that_is_gone_is_counted_and_not_guessed() {
    let Some(profile) = recorded("unmapped") else {
        return;
    };
    assert_eq!(notes(&profile, "no longer mapped"), 1, "{profile:#}");
    let samples = &profile["spin_samples"];
    let (all, gone) = (&samples["samples"], &samples["unexamined"]);
    assert!(gone.as_u64() >= Some(50), "{samples:#}");
    // The interval allows for each of them.
    let share = gone.as_f64().unwrap() / all.as_f64().unwrap();
    let estimate = &profile["spin_cpu_ns"];
    let cpu_ns = profile["time"]["running_ns"].as_f64();
    let widest = estimate["high"].as_f64().unwrap() - estimate["low"].as_f64().unwrap();
    assert!(
        widest >= share * 0.5 * cpu_ns.unwrap_or(0.0),
        "{estimate:#} {samples:#} {:#}",
        profile["time"]
    );
}

#[test]
fn code_that_the_program_rewrites_is_examined_again() {
    let Some(profile) = recorded("rewritten") else {
        return;
    };
    let names = word_names(&profile);
    assert!(names.contains(&"words"), "{names:?}");
    assert!(names.contains(&"words+0x8"), "{names:?}");
    assert_eq!(notes(&profile, "changed in the meantime"), 1, "{profile:#}");
}

#[test]
fn without_watchpoints_the_writers_are_unknown() {
    let Some(profile) = recorded("watched") else {
        return;
    };
    let row = rows(&profile)
        .first()
        .unwrap_or_else(|| panic!("{profile:#}"));
    assert!(
        row["writers"].is_null() && row["writer_state"].is_null(),
        "{row:#}"
    );
    assert_eq!(notes(&profile, "watchpoints"), 1, "{profile:#}");
}

#[test]
fn a_stripped_program_has_addresses_in_its_file() {
    let bench = Bench::new();
    let program = bench.built("spins_known.c", &["-O2", "-s"]);
    let Some((_, profile)) = bench.profile(&program, &["plain"]) else {
        return;
    };
    let file = program.file_name().unwrap().to_str().unwrap();
    let row = rows(&profile)
        .first()
        .unwrap_or_else(|| panic!("{profile:#}"));
    let site = &row["site"];
    assert!(site["function"].is_null(), "{row:#}");
    assert!(site["module"].as_str().unwrap().ends_with(file), "{row:#}");
    let word = row["word"]["name"].as_str().unwrap();
    assert!(word.starts_with(&format!("{file}+0x")), "{row:#}");
}
