//! Published claims as a text page for a terminal.

use std::fmt::Write;

use anstyle::{Effects, Style};
use locktoll_lab::stats::{Estimate, Look};

use super::figures_from::figures_from_words;
use super::histograms::{Group, side_by_side};
use crate::profile::text::histogram::{Column, LENGTH, rows};
use crate::profile::text::styles::{LOCKS, RUNNING};
use crate::slices::{placement_words, two_modes_words};
use crate::{Provenance, Shown, sentence, table};
use locktoll_results::reproduction::{Check, Claim, ClaimVerdict, Reproduction};
use locktoll_terminal::fold::folded;
use locktoll_terminal::quantity::counted;

pub(super) const STRONG: Style = Style::new().effects(Effects::BOLD);
/// Columns before each line of a claim.
const INDENT: usize = 5;
const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// Returns a verdict in everyday words.
pub fn verdict_words(verdict: ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Holds => "holds",
        ClaimVerdict::DoesNotHold => "does not hold",
        ClaimVerdict::CannotBeJudgedHere => "cannot be judged here",
        ClaimVerdict::NotYet => "not run yet",
    }
}

/// Says at which of several looks a claim was judged, and how strict its intervals are; `None` for a claim that was judged once.
pub(super) fn rounds_words(claim: &Claim) -> Option<String> {
    let (rounds, looks) = (claim.rounds?, claim.looks?);
    let confidence = (1.0 - Look::OfSeveral(looks).misses()) * 100.0;
    Some(format!(
        "{rounds}, judged at look {looks} by {confidence:.1} % intervals"
    ))
}

impl Shown for Reproduction {
    fn title(&self) -> String {
        "locktoll reproduce".to_owned()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        render(page, self, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &Reproduction, width: usize) -> std::fmt::Result {
    sentence::answer(page, &answer(&result.claims), width)?;
    for claim in &result.claims {
        writeln!(page)?;
        block(page, claim, result.machine.stand_in.as_deref(), width)?;
    }
    writeln!(page)?;
    if result.partial {
        writeln!(page, "PARTIAL: not all claims have been run.")?;
    }
    let from = Provenance {
        made: result.made.as_ref(),
        machine: Some(&result.machine),
        version: Some(&result.version),
    };
    from.write(page, "", width)
}

/// The number of failed claims whose figures are in the answer; the rest are below it.
const FAILED: usize = 3;

/// Says how many claims hold on this machine, and which figures refute those that do not. For a single claim, it gives its
/// figure.
fn answer(claims: &[Claim]) -> String {
    let [only] = claims else {
        let mut text = format!("{}.", tally(claims));
        for claim in failed(claims).take(FAILED) {
            let _ = write!(text, " {} does not hold: {}.", claim.id, claim.because);
        }
        return text;
    };
    format!(
        "{} ({}) {} on this machine: {}.",
        only.id,
        only.title,
        match only.verdict {
            ClaimVerdict::NotYet => "cannot be run yet",
            ClaimVerdict::CannotBeJudgedHere => "cannot be judged",
            other => verdict_words(other),
        },
        only.because
    )
}

fn failed(claims: &[Claim]) -> impl Iterator<Item = &Claim> {
    let claims = claims.iter();
    claims.filter(|claim| claim.verdict == ClaimVerdict::DoesNotHold)
}

fn block(
    page: &mut String,
    claim: &Claim,
    stand_in: Option<&str>,
    width: usize,
) -> std::fmt::Result {
    let verdict = verdict_words(claim.verdict).to_uppercase();
    writeln!(
        page,
        "{STRONG}{:4} {}: {verdict}{STRONG:#}",
        claim.id, claim.title
    )?;
    let because = format!(
        "{}: {}.",
        capital(verdict_words(claim.verdict)),
        claim.because
    );
    folded(page, "     ", &because, width)?;
    folded(page, "     Claim: ", &claim.claim, width)?;
    let source = &claim.source;
    folded(
        page,
        "     Source: ",
        &format!("{}, {}; {}", source.article, source.year, source.machine),
        width,
    )?;
    for published in &claim.published {
        folded(
            page,
            "     Published: ",
            &format!("{}: {}", published.what, published.figure),
            width,
        )?;
    }
    if !claim.checks.is_empty() {
        if let Some(stand_in) = stand_in {
            writeln!(page, "     Measured on {stand_in}:")?;
        }
        checks(page, &claim.checks)?;
    }
    if let Some(place) = &claim.measured_in {
        folded(page, "     Measured in: ", place, width)?;
    }
    if let Some(group) = side_by_side(&claim.series) {
        histograms(page, &group, width)?;
    }
    if let Some(words) = rounds_words(claim) {
        folded(page, "     Rounds: ", &words, width)?;
    }
    for cell in &claim.two_modes {
        let words = two_modes_words(cell);
        folded(page, "     Modes: ", &format!("{words}."), width)?;
    }
    if let Some(placement) = &claim.placement {
        let words = placement_words(placement);
        folded(page, "     Placement: ", &format!("{words}."), width)?;
    }
    if let Some(from) = &claim.figures_from {
        folded(page, "     Figures: ", &figures_from_words(from), width)?;
    }
    if let Some(note) = &claim.note {
        folded(page, "     Note: ", note, width)?;
    }
    for warning in &claim.warnings {
        folded(page, "     Warning: ", warning, width)?;
    }
    for command in &claim.commands {
        writeln!(page, "     {FAINT}{command}{FAINT:#}")?;
    }
    if let Some(means) = &claim.means {
        folded(page, "     Today: ", means, width)?;
    }
    Ok(())
}

fn checks(page: &mut String, checks: &[Check]) -> std::fmt::Result {
    let head = [
        "check",
        "published",
        "measured",
        "95 % interval",
        "claim allows",
        "verdict",
    ];
    // A check that fails decides, so it is looked at first.
    let failed = |check: &&Check| check.verdict == ClaimVerdict::DoesNotHold;
    let (failed, others): (Vec<&Check>, Vec<&Check>) = checks.iter().partition(failed);
    let rows = failed.into_iter().chain(others).map(|check| {
        let measured = check.measured;
        vec![
            check.what.clone(),
            check.published.map_or_else(dash, short),
            measured.map_or_else(dash, |measured| short(measured.median)),
            measured.map_or_else(dash, interval),
            allowed(check),
            verdict_words(check.verdict).to_owned(),
        ]
    });
    table::write(page, "     ", &table::lines(&head, &[0, 5], rows))
}

/// Draws histograms next to each other, each with its own scale.
fn histograms(page: &mut String, group: &Group<'_>, width: usize) -> std::fmt::Result {
    folded(page, "     ", &format!("{}:", capital(group.unit)), width)?;
    let styles = [LOCKS, RUNNING].into_iter().cycle();
    let columns: Vec<Column<'_>> = (group.histograms.iter().zip(styles))
        .map(|(it, style)| Column::new(it.name, it.log2.as_slice(), style).cumulative())
        .collect();
    let mut table = String::new();
    let unit = group.along.trim_end_matches(", from");
    rows(
        &mut table,
        &columns,
        width.saturating_sub(INDENT),
        unit,
        |power| format!("{:>LENGTH$}", format!("2^{power} .. 2^{}", power + 1)),
    )?;
    let lines: Vec<String> = table.lines().map(str::to_owned).collect();
    table::write(page, "     ", &lines)
}

/// Formats the bounds: `>= 2`, `0.8 .. 1.25`.
pub fn allowed(check: &Check) -> String {
    match (check.at_least, check.at_most) {
        (Some(least), Some(most)) => format!("{} .. {}", short(least), short(most)),
        (Some(least), None) => format!(">= {}", short(least)),
        (None, Some(most)) => format!("<= {}", short(most)),
        (None, None) => dash(),
    }
}

/// Formats the interval; a number that was counted has none.
pub fn interval(estimate: Estimate) -> String {
    match estimate.n {
        1 => dash(),
        _ => format!("{} .. {}", short(estimate.low), short(estimate.high)),
    }
}

/// Returns the text in place of a missing figure.
pub fn dash() -> String {
    "-".to_owned()
}

/// Formats a pure number with three significant digits.
pub fn short(number: f64) -> String {
    let size = number.abs();
    match size {
        _ if !number.is_finite() => dash(),
        0.0 => "0".to_owned(),
        1e6.. => format!("{number:.2e}"),
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        0.095.. => format!("{number:.2}"),
        0.00095.. => format!("{number:.4}"),
        _ => format!("{number:.1e}"),
    }
}

pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Says how many claims have which outcome.
pub fn tally(claims: &[Claim]) -> String {
    let counts: Vec<String> = [
        ClaimVerdict::Holds,
        ClaimVerdict::DoesNotHold,
        ClaimVerdict::CannotBeJudgedHere,
        ClaimVerdict::NotYet,
    ]
    .into_iter()
    .filter_map(|verdict| {
        let number = claims
            .iter()
            .filter(|claim| claim.verdict == verdict)
            .count();
        (number > 0).then(|| match (verdict, number) {
            (ClaimVerdict::Holds, 1) => "1 holds".to_owned(),
            (ClaimVerdict::Holds, _) => format!("{number} hold"),
            (ClaimVerdict::DoesNotHold, 2..) => format!("{number} do not hold"),
            (_, _) => format!("{number} {}", verdict_words(verdict)),
        })
    })
    .collect();
    let claims = counted(claims.len() as u64, "claim", "claims");
    match counts.is_empty() {
        true => claims,
        false => format!("{claims}: {}", counts.join(", ")),
    }
}
