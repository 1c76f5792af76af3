//! All findings, obstacles first.

use std::fmt::Write;

use anstyle::Style;

use super::page::{BAD, GOOD, HALF, STRONG};
use locktoll_results::doctor::DoctorResult;
use locktoll_results::doctor::{Concern, Effect, Finding, State};
use locktoll_terminal::fold::folded;

/// The length of the longest state, in characters.
const STATE: usize = "limited".len();

/// Fewer characters than this next to a finding's name are no column: the words then go below it.
const LEAST: usize = 30;
const BELOW: &str = "      ";

/// Writes the findings, with their effects on verbs.
pub fn list(page: &mut String, result: &DoctorResult, line: usize) -> std::fmt::Result {
    if result.findings.is_empty() {
        return Ok(());
    }
    let widest = result.findings.iter().map(|finding| finding.id.len());
    let width = widest.max().unwrap_or(0);
    writeln!(page)?;
    writeln!(page, "{STRONG}Findings{STRONG:#}")?;
    let (well, others): (Vec<&Finding>, Vec<&Finding>) = result
        .findings
        .iter()
        .partition(|finding| finding.state == State::Works);
    for finding in others.into_iter().chain(well) {
        one(page, finding, width, line)?;
    }
    Ok(())
}

fn one(page: &mut String, finding: &Finding, ids: usize, width: usize) -> std::fmt::Result {
    let (state, style) = word(finding.state);
    let value = finding.value.as_deref().unwrap_or("-");
    let mut text = String::new();
    let lead = format!("  {state:STATE$}  {:ids$}  ", finding.id);
    let is_column = width >= lead.len() + LEAST;
    let (lead, indent) = match is_column {
        true => (lead.clone(), " ".repeat(lead.len())),
        false => {
            let head = format!("  {style}{state:STATE$}{style:#}  {}", finding.id);
            writeln!(page, "{head}")?;
            (BELOW.to_owned(), BELOW.to_owned())
        }
    };
    folded(&mut text, &lead, value, width)?;
    // Styled only now, so that folding counts the visible characters.
    match is_column {
        true => {
            write!(page, "  {style}{state:STATE$}{style:#}")?;
            page.push_str(&text[2 + STATE..]);
        }
        false => page.push_str(&text),
    }
    if let Some(note) = &finding.note {
        folded(page, &indent, note, width)?;
    }
    for (effect, verbs, what) in grouped(&finding.concerns) {
        let verbs = verbs.join(", ");
        let line = match effect {
            Effect::Blocks => format!("blocks {verbs}; lost: {what}"),
            Effect::Limits => format!("limits {verbs}; lost: {what}"),
            Effect::Disturbs => format!("disturbs {verbs}: {what}"),
        };
        folded(page, &indent, &line, width)?;
    }
    Ok(())
}

fn word(state: State) -> (&'static str, Style) {
    match state {
        State::Works => ("works", GOOD),
        State::Limited => ("limited", HALF),
        State::Missing => ("missing", BAD),
        State::Unknown => ("unknown", HALF),
    }
}

/// Groups verbs that lose the same.
fn grouped(concerns: &[Concern]) -> Vec<(Effect, Vec<&'static str>, &str)> {
    let mut groups: Vec<(Effect, Vec<&'static str>, &str)> = Vec::new();
    for Concern { verb, effect, what } in concerns {
        match groups
            .iter_mut()
            .find(|(other, _, same)| other == effect && same == what)
        {
            Some((_, verbs, _)) => verbs.push(verb.words()),
            None => groups.push((*effect, vec![verb.words()], what)),
        }
    }
    groups
}
