//! Published claims as a Markdown page for a repository.

use std::fmt::Write;

use super::figures_from::figures_from_words;
use super::text::{allowed, dash, interval, rounds_words, short, tally};
use crate::slices::{placement_words, two_modes_words};
use crate::{machine_line, verdict_words};
use locktoll_results::reproduction::{Claim, ClaimVerdict, Reproduction};
use locktoll_terminal::quantity::duration;

/// Returns the page.
pub fn reproduction_markdown(result: &Reproduction) -> String {
    let mut page = String::new();
    render(&mut page, result).expect("writing to a string does not fail");
    page
}

fn render(page: &mut String, result: &Reproduction) -> std::fmt::Result {
    writeln!(page, "# Published claims, run again\n")?;
    writeln!(
        page,
        "Written by `locktoll reproduce -o RESULTS.md`, locktoll {}.\n",
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
        evidence(page, claim, result.machine.stand_in.as_deref())?;
    }
    Ok(())
}

fn evidence(page: &mut String, claim: &Claim, stand_in: Option<&str>) -> std::fmt::Result {
    writeln!(page, "\n## {} {}\n", cell(&claim.id), cell(&claim.title))?;
    let source = &claim.source;
    writeln!(
        page,
        "{} ({}, {}; {})\n",
        cell(&claim.claim),
        cell(&source.article),
        source.year,
        cell(&source.machine)
    )?;
    for published in &claim.published {
        writeln!(
            page,
            "- published: {}: {}",
            cell(&published.what),
            cell(&published.figure)
        )?;
    }
    writeln!(
        page,
        "\n| check | published | measured{} | 95 % interval | claim allows | verdict |\n|---|---|---|---|---|---|",
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
    if !claim.commands.is_empty() {
        writeln!(
            page,
            "\nBy hand ({}):\n\n```sh",
            duration(claim.duration_ns as f64)
        )?;
        for command in &claim.commands {
            writeln!(page, "{}", command.replace('\n', " "))?;
        }
        writeln!(page, "```")?;
    }
    if let Some(means) = &claim.means {
        writeln!(page, "\nToday: {}", cell(means))?;
    }
    Ok(())
}

/// Escapes text for a table cell, so that it is neither markup nor a link.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // A backslash in the text would otherwise cancel an added one.
            '\\' | '|' | '[' => cell.extend(['\\', character]),
            '<' => cell.push_str("&lt;"),
            '&' => cell.push_str("&amp;"),
            '\n' => cell.push(' '),
            other => cell.push(other),
        }
    }
    cell
}
