//! Published claims as a Markdown page for a repository.

use std::fmt::Write;

use super::figures_from::figures_from_words;
use super::histograms::{Group, Histogram, side_by_side};
use super::page::{Page, cell};
use super::picture::View;
use super::text::{allowed, capital, dash, interval, rounds_words, short, tally};
use crate::slices::{placement_words, two_modes_words};
use crate::{machine_line, verdict_words};
use locktoll_results::reproduction::{Claim, ClaimVerdict, Reproduction};
use locktoll_terminal::quantity::duration;

/// Returns the page; its pictures lie in `folder`, if there is one.
pub fn reproduction_markdown(result: &Reproduction, folder: Option<&str>) -> Page {
    let mut page = Page::default();
    render(&mut page, result, folder).expect("writing to a string does not fail");
    page
}

fn render(whole: &mut Page, result: &Reproduction, folder: Option<&str>) -> std::fmt::Result {
    let page = &mut whole.text;
    writeln!(page, "# Published claims, run again\n")?;
    writeln!(
        page,
        "Written by `locktoll reproduce`, locktoll {}.\n",
        cell(&result.version)
    )?;
    writeln!(page, "Machine: {}.\n", cell(&machine_line(&result.machine)))?;
    if let Some(stand_in) = &result.machine.stand_in {
        writeln!(page, "**{}.** No claim is judged there.\n", cell(stand_in))?;
    }
    writeln!(
        page,
        "A claim *holds* only where the whole 95 % interval of every check lies within its bounds, *does not hold* where an\n\
         interval lies wholly outside, and *cannot be judged here* otherwise.\n"
    )?;
    writeln!(page, "{}.\n", tally(&result.claims))?;
    writeln!(
        page,
        "| id | claim | verdict | because |\n|---|---|---|---|"
    )?;
    for claim in &result.claims {
        let verdict = verdict_words(claim.verdict);
        writeln!(
            page,
            "| {} | {} | {verdict} | {} |",
            cell(&claim.id),
            cell(&claim.title),
            cell(&claim.because)
        )?;
    }
    for claim in result
        .claims
        .iter()
        .filter(|claim| claim.verdict != ClaimVerdict::NotYet)
    {
        evidence(whole, claim, result.machine.stand_in.as_deref(), folder)?;
    }
    Ok(())
}

fn evidence(
    whole: &mut Page,
    claim: &Claim,
    stand_in: Option<&str>,
    folder: Option<&str>,
) -> std::fmt::Result {
    let page = &mut whole.text;
    head(page, claim)?;
    published(page, claim)?;
    let view = View {
        machine: None,
        claim,
    };
    whole.picture(folder, &[view])?;
    let page = &mut whole.text;
    writeln!(
        page,
        "| check | published | measured{} | 95 % interval | claim allows | verdict |\n|---|---|---|---|---|---|",
        stand_in.map_or(String::new(), |what| format!(" ({})", cell(what)))
    )?;
    for check in &claim.checks {
        writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} |",
            cell(&check.what),
            check.published.map_or_else(dash, short),
            check
                .measured
                .map_or_else(dash, |measured| short(measured.median)),
            check.measured.map_or_else(dash, interval),
            allowed(check),
            verdict_words(check.verdict)
        )?;
    }
    if let Some(place) = &claim.measured_in {
        writeln!(page, "\nMeasured in {}.", cell(place))?;
    }
    if let Some(group) = side_by_side(&claim.series) {
        histograms(page, &group)?;
    }
    writeln!(
        page,
        "\n{}: {}.",
        verdict_words(claim.verdict),
        cell(&claim.because)
    )?;
    if let Some(words) = rounds_words(claim) {
        writeln!(page, "\nRounds: {}.", cell(&words))?;
    }
    for of in &claim.two_modes {
        writeln!(page, "\n{}.", cell(&two_modes_words(of)))?;
    }
    if let Some(placement) = &claim.placement {
        let words = placement_words(placement);
        writeln!(page, "\nPlacement of lock, data and threads: {words}.")?;
    }
    if let Some(from) = &claim.figures_from {
        writeln!(page, "\nFigures: {}", cell(&figures_from_words(from)))?;
    }
    if let Some(note) = &claim.note {
        writeln!(page, "\n{}", cell(note))?;
    }
    for warning in &claim.warnings {
        writeln!(page, "\nWarning: {}.", cell(warning))?;
    }
    by_hand(page, claim)?;
    if let Some(means) = &claim.means {
        writeln!(page, "\nToday: {}", cell(means))?;
    }
    Ok(())
}

/// Writes the heading of a claim, the claim, and where it was published.
pub(super) fn head(page: &mut String, claim: &Claim) -> std::fmt::Result {
    writeln!(page, "\n## {} {}\n", cell(&claim.id), cell(&claim.title))?;
    let source = &claim.source;
    writeln!(
        page,
        "{} ({}, {}; {})\n",
        cell(&claim.claim),
        cell(&source.article),
        source.year,
        cell(&source.machine)
    )
}

/// Writes the published figures.
pub(super) fn published(page: &mut String, claim: &Claim) -> std::fmt::Result {
    for published in &claim.published {
        writeln!(
            page,
            "- published: {}: {}",
            cell(&published.what),
            cell(&published.figure)
        )?;
    }
    writeln!(page)
}

/// Writes the commands of a claim.
pub(super) fn by_hand(page: &mut String, claim: &Claim) -> std::fmt::Result {
    if claim.commands.is_empty() {
        return Ok(());
    }
    writeln!(
        page,
        "\nBy hand ({}):\n\n```sh",
        duration(claim.duration_ns as f64)
    )?;
    for command in &claim.commands {
        writeln!(page, "{}", command.replace('\n', " "))?;
    }
    writeln!(page, "```")
}

/// Writes histograms as the columns of one table.
fn histograms(page: &mut String, group: &Group<'_>) -> std::fmt::Result {
    let names = group.histograms.iter().map(|it| cell(it.name));
    let names = Vec::from_iter(names).join(" | ");
    writeln!(page, "\n{}:\n", cell(&capital(group.unit)))?;
    writeln!(page, "| {} | {names} |", cell(group.along))?;
    writeln!(page, "|---{}|", "|---".repeat(group.histograms.len()))?;
    let longest = group.histograms.iter().map(|it| it.log2.len()).max();
    let at = |it: &Histogram<'_>, power: usize| it.log2.get(power).copied().unwrap_or(0);
    let powers = 0..longest.unwrap_or(0);
    let used = powers.skip_while(|power| group.histograms.iter().all(|it| at(it, *power) == 0));
    for power in used {
        let counts = group.histograms.iter().map(|it| at(it, power).to_string());
        let counts = Vec::from_iter(counts).join(" | ");
        writeln!(page, "| 2^{power} | {counts} |")?;
    }
    Ok(())
}
