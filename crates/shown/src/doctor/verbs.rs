//! One line per verb.

use std::fmt::Write;

use super::page::{BAD, GOOD, HALF, STRONG};
use locktoll_results::doctor::{Verdict, Word};
use locktoll_terminal::fold;

/// The length of the longest verb, and of the longest word after it, in characters.
const VERB: usize = "record --preemption".len();
const WORD: usize = "in part".len();

/// Room for the longest name of a finding.
const LEAST: usize = 20;

/// Writes how far each verb works, and what prevents it.
pub fn table(page: &mut String, verdicts: &[Verdict], width: usize) -> std::fmt::Result {
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
            why => {
                // Styled only after folding, which counts the visible characters.
                let lead = format!("{verb:VERB$}  {word:WORD$}  ");
                let mut lines = fold::lines(&lead, why, width.max(lead.len() + LEAST)).into_iter();
                let first = lines.next().unwrap_or_default();
                let rest = &first[VERB + 2 + WORD..];
                writeln!(page, "{verb:VERB$}  {style}{word:WORD$}{style:#}{rest}")?;
                for line in lines {
                    writeln!(page, "{line}")?;
                }
            }
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
