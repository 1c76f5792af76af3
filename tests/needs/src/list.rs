//! The list of skipped tests, by reason.

use std::collections::{BTreeMap, BTreeSet};

use crate::notes::Note;

/// How many tests were skipped, then each reason with its tests, the most frequent reason first; and those that ran in their short
/// variant.
pub fn list(notes: &[Note]) -> String {
    let (short, skipped): (Vec<&Note>, Vec<&Note>) = notes.iter().partition(|note| note.is_short());
    let mut text = list_skipped(&skipped);
    let short: BTreeSet<(&str, &str)> = short.iter().map(|note| note.names()).collect();
    if !short.is_empty() {
        let names: Vec<&str> = short.iter().map(|(_, test)| *test).collect();
        text.push_str(&format!(
            "\n{} ran in their short variant: {}",
            names.len(),
            names.join(", ")
        ));
    }
    text
}

fn list_skipped(notes: &[&Note]) -> String {
    let mut by_reason: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for note in notes {
        by_reason
            .entry(&note.reason)
            .or_default()
            .insert(note.names());
    }
    let tests: BTreeSet<(&str, &str)> = by_reason.values().flatten().copied().collect();
    let mut reasons: Vec<_> = by_reason.into_iter().collect();
    reasons.sort_by_key(|(_, tests)| std::cmp::Reverse(tests.len()));

    let mut text = format!("{} skipped", tests.len());
    for (index, (reason, tests)) in reasons.iter().enumerate() {
        let names: Vec<&str> = tests.iter().map(|(_, test)| *test).collect();
        text.push_str(if index == 0 { ":\n  " } else { ";\n  " });
        text.push_str(&format!("{reason} ({}): {}", tests.len(), names.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(program: &str, test: &str, reason: &str) -> Note {
        Note {
            program: program.to_owned(),
            test: test.to_owned(),
            reason: reason.to_owned(),
        }
    }

    #[test]
    fn tests_are_counted_once_and_listed_by_reason() {
        let notes = [
            note("page", "light", "no chromium"),
            note("real", "redis::a", "no redis-server"),
            note("real", "redis::b", "no redis-server"),
            note("real", "redis::b", "no redis-server"),
            note("real", "redis::b", "not root"),
        ];
        assert_eq!(
            list(&notes),
            "3 skipped:\n  no redis-server (2): redis::a, redis::b;\n  no chromium (1): light;\n  not root (1): redis::b"
        );
    }

    #[test]
    fn tests_of_the_same_name_in_two_programs_are_two() {
        let notes = [note("a", "works", "no spin"), note("b", "works", "no spin")];
        assert_eq!(list(&notes), "2 skipped:\n  no spin (2): works, works");
    }

    #[test]
    fn short_variants_are_not_skipped() {
        let short = |program, test| Note {
            program: String::from(program),
            test: String::from(test),
            ..Note::short()
        };
        let notes = [
            short("figures", "a"),
            note("real", "redis::a", "no redis-server"),
            short("figures", "a"),
            short("pace", "b"),
        ];
        assert_eq!(
            list(&notes),
            "1 skipped:\n  no redis-server (1): redis::a\n2 ran in their short variant: a, b"
        );
    }

    #[test]
    fn nothing_skipped_is_said_too() {
        assert_eq!(list(&[]), "0 skipped");
    }
}
