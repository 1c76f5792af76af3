//! What a test asks before it begins.

use std::env;

use crate::notes::{self, Note};
use crate::search::is_there;

/// The variable that makes a missing program a failure, where it is `1`.
pub const EVERYTHING: &str = "LOCKTOLL_TEST_EVERYTHING";

/// Whether all these programs are there; otherwise the calling test is noted as skipped and returns.
///
/// # Panics
/// If one is missing and `LOCKTOLL_TEST_EVERYTHING` is `1`.
#[must_use = "a test that lacks a program returns"]
#[track_caller]
pub fn programs(names: &[&str]) -> bool {
    match names.iter().find(|name| !is_there(name)) {
        None => true,
        Some(name) => {
            missing(name);
            false
        }
    }
}

/// The first of these programs that is there, for one that has several names; otherwise as [`programs`].
///
/// # Panics
/// If all are missing and `LOCKTOLL_TEST_EVERYTHING` is `1`.
#[must_use = "a test that lacks a program returns"]
#[track_caller]
pub fn any_program<'a>(names: &[&'a str]) -> Option<&'a str> {
    let found = names.iter().copied().find(|name| is_there(name));
    if found.is_none() {
        missing(names.first().copied().unwrap_or_default());
    }
    found
}

/// Notes that the calling test is skipped since this is not installed: a library, or a part of a program.
///
/// # Panics
/// If `LOCKTOLL_TEST_EVERYTHING` is `1`.
#[track_caller]
pub fn missing(name: &str) {
    let reason = format!("no {name}");
    match verdict(env::var(EVERYTHING).ok().as_deref()) {
        Verdict::Skip => notes::add(&Note::of_this_test(&reason)),
        Verdict::Fail => {
            panic!("{reason} on this machine, and {EVERYTHING}=1 asks for every test")
        }
    }
}

/// Notes that the calling test, or a part of it, is skipped since this kernel, this user's privileges or this moment's load
/// does not permit it. Of a message of locktoll's, the remedy after the first semicolon is left out.
pub fn refused(reason: &str) {
    notes::add(&Note::of_this_test(without_remedy(reason)));
}

fn without_remedy(reason: &str) -> &str {
    let reason = reason.trim().trim_start_matches("locktoll: ");
    reason.split(';').next().unwrap_or(reason)
}

#[derive(Debug, PartialEq)]
enum Verdict {
    Skip,
    Fail,
}

/// What becomes of a test whose program is missing, by the value of [`EVERYTHING`].
fn verdict(everything: Option<&str>) -> Verdict {
    if everything == Some("1") {
        Verdict::Fail
    } else {
        Verdict::Skip
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_refusal_is_one_reason_whatever_its_remedy() {
        let said = "locktoll: `attach` cannot trace here: CAP_BPF is lacking; allow it with: sudo setcap FILE\n";
        let reason = "`attach` cannot trace here: CAP_BPF is lacking";
        assert_eq!(without_remedy(said), reason);
        assert_eq!(without_remedy(reason), reason);
    }

    #[test]
    fn a_missing_program_is_a_failure_only_where_everything_is_asked_for() {
        assert_eq!(verdict(None), Verdict::Skip);
        assert_eq!(verdict(Some("")), Verdict::Skip);
        assert_eq!(verdict(Some("0")), Verdict::Skip);
        assert_eq!(verdict(Some("1")), Verdict::Fail);
    }
}
