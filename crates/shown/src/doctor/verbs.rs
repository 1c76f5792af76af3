//! One line per verb.

use std::fmt::Write;

use super::page::{BAD, GOOD, HALF, STRONG};
use locktoll_results::doctor::{Verdict, Word};

/// The length of the longest verb, and of the longest word after it, in characters.
const VERB: usize = "record --preemption".len();
const WORD: usize = "in part".len();

/// Writes how far each verb works, and what prevents it.
pub fn table(page: &mut String, verdicts: &[Verdict]) -> std::fmt::Result {
    writeln!(
        page,
        "{STRONG}{:VERB$}  {:WORD$}  reason (see below){STRONG:#}",
        "verb", "works"
    )?;
    for verdict in verdicts {
        let (word, style) = match verdict.works {
            Word::Full => ("yes", GOOD),
            Word::Limited => ("in part", HALF),
            Word::Not => ("no", BAD),
        };
        let verb = verdict.verb.words();
        match because(verdict).as_str() {
            "" => writeln!(page, "{verb:VERB$}  {style}{word}{style:#}")?,
            why => writeln!(page, "{verb:VERB$}  {style}{word:WORD$}{style:#}  {why}")?,
        }
    }
    Ok(())
}

/// Explains a verdict. Findings that block hide those that limit: nothing works until the former are fixed.
fn because(verdict: &Verdict) -> String {
    let in_the_way = match verdict.works {
        Word::Full => &[][..],
        Word::Limited => &verdict.limited_by,
        Word::Not => &verdict.blocked_by,
    };
    let mut words = in_the_way.join(", ");
    if !verdict.disturbed_by.is_empty() && verdict.works != Word::Not {
        if !words.is_empty() {
            words.push_str("; ");
        }
        words.push_str("disturbed by ");
        words.push_str(&verdict.disturbed_by.join(", "));
    }
    words
}
