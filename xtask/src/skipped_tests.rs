//! Runs the tests that the last `cargo test --workspace` has skipped, and the long variants of those that have one.

use std::collections::BTreeSet;

use anyhow::{Context, bail, ensure};
use locktoll_needs::notes::{self, ANY_TEST, Note};
use locktoll_needs::{EVERYTHING, SOAK};

use crate::build::cargo_by_hand;

pub fn run() -> anyhow::Result<()> {
    let notes = notes::kept().context("the list of skipped tests cannot be read")?;
    let Some(notes) = notes else {
        bail!("no list of skipped tests: `cargo test --workspace` makes one");
    };
    if notes.is_empty() {
        println!("the last `cargo test --workspace` has skipped no test");
        return Ok(());
    }
    // Every test program is started, as in the run before, so that nothing is built anew. Those without such a test end at once.
    let status = cargo_by_hand()
        .args([
            "test",
            "--workspace",
            "--locked",
            "--tests",
            "--no-fail-fast",
        ])
        .args(chosen(&notes))
        .envs([(EVERYTHING, "1"), (SOAK, "1")])
        .status()
        .context("cargo cannot be started")?;
    ensure!(status.success(), "a test that was skipped before fails");
    Ok(())
}

/// The words that choose these tests; none, and with it all tests, if one of them has no name in the notes.
fn chosen(notes: &[Note]) -> Vec<&str> {
    let names: BTreeSet<&str> = notes.iter().map(|note| &*note.test).collect();
    match names.contains(ANY_TEST) {
        true => Vec::new(),
        false => ["--", "--exact"].into_iter().chain(names).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(program: &str, test: &str) -> Note {
        Note {
            program: program.to_owned(),
            test: test.to_owned(),
            reason: "no redis-server".to_owned(),
        }
    }

    #[test]
    fn tests_are_chosen_by_their_whole_names() {
        let notes = [
            note("real", "redis::a"),
            note("page", "light"),
            note("real", "redis::a"),
        ];
        assert_eq!(chosen(&notes), ["--", "--exact", "light", "redis::a"]);
    }

    #[test]
    fn a_test_without_a_name_stands_for_all() {
        assert!(chosen(&[note("real", "redis::a"), note("record", ANY_TEST)]).is_empty());
    }
}
