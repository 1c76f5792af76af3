//! Published claims of several machines as a Markdown page: one column per machine.

use std::fmt::Write;

use super::markdown::{by_hand, head, published};
use super::merged_text::{answer, figure, rows, verdict};
use super::page::{Page, cell};
use super::picture::View;
use super::text::{allowed, dash, short};
use crate::machine_line;
use locktoll_results::merged::{Merged, MergedClaim, MergedMachine};

/// Returns the page; its pictures lie in `folder`, if there is one.
pub fn merged_markdown(merged: &Merged, folder: Option<&str>) -> Page {
    let mut page = Page::default();
    render(&mut page, merged, folder).expect("writing to a string does not fail");
    page
}

fn render(whole: &mut Page, merged: &Merged, folder: Option<&str>) -> std::fmt::Result {
    let page = &mut whole.text;
    writeln!(page, "# Published claims on several machines\n")?;
    writeln!(
        page,
        "Written by `locktoll reproduce --merge`, locktoll {}.\n",
        cell(&merged.version)
    )?;
    for machine in &merged.machines {
        writeln!(page, "- **{}**: {}", cell(&machine.name), about(machine))?;
    }
    writeln!(
        page,
        "\nA claim *holds* only where the whole 95 % interval of every check lies within its bounds, *does not hold* where an\n\
         interval lies wholly outside, and *cannot be judged here* otherwise.\n\n{}\n",
        cell(&answer(merged))
    )?;
    if !merged.differences.is_empty() {
        writeln!(page, "## Differences between the machines\n")?;
        for difference in &merged.differences {
            writeln!(page, "- {}.", cell(&difference.what))?;
        }
        writeln!(page)?;
    }
    writeln!(page, "## Verdicts\n")?;
    columns(page, &["id", "claim"], &merged.machines, &[])?;
    for claim in &merged.claims {
        write!(page, "| {} | {} |", cell(&claim.id), cell(&claim.title))?;
        for result in &claim.results {
            write!(page, " {} |", verdict(result.as_ref()))?;
        }
        writeln!(page)?;
    }
    for claim in &merged.claims {
        evidence(whole, merged, claim, folder)?;
    }
    Ok(())
}

fn about(machine: &MergedMachine) -> String {
    let date = machine.made.as_ref().and_then(|made| made.date.as_ref());
    let date = date.map_or(String::new(), |date| format!(", {date}"));
    let stand_in = machine.machine.stand_in.as_ref();
    let stand_in = stand_in.map_or(String::new(), |what| format!(", {what}"));
    cell(&format!(
        "{}{stand_in}, locktoll {}{date}",
        machine_line(&machine.machine),
        machine.version
    ))
}

/// Writes the head of a table with one column per machine.
fn columns(
    page: &mut String,
    first: &[&str],
    machines: &[MergedMachine],
    last: &[&str],
) -> std::fmt::Result {
    let names = machines.iter().map(|machine| cell(&machine.name));
    let first = first.iter().map(|name| (*name).to_owned());
    let last = last.iter().map(|name| (*name).to_owned());
    let names: Vec<String> = first.chain(names).chain(last).collect();
    writeln!(page, "| {} |", names.join(" | "))?;
    writeln!(page, "|{}", "---|".repeat(names.len()))
}

fn evidence(
    whole: &mut Page,
    merged: &Merged,
    claim: &MergedClaim,
    folder: Option<&str>,
) -> std::fmt::Result {
    let Some(first) = claim.first() else {
        return Ok(());
    };
    head(&mut whole.text, first)?;
    published(&mut whole.text, first)?;
    let views: Vec<View<'_>> = (claim.results.iter().zip(&merged.machines))
        .filter_map(|(result, machine)| {
            Some(View {
                machine: Some(&machine.name),
                claim: result.as_ref()?,
            })
        })
        .collect();
    whole.picture(folder, &views)?;
    let page = &mut whole.text;
    let rows = rows(claim);
    if !rows.is_empty() {
        columns(
            page,
            &["check", "published", "claim allows"],
            &merged.machines,
            &[],
        )?;
        for row in &rows {
            write!(
                page,
                "| {} | {} | {} |",
                cell(&row.first.what),
                row.first.published.map_or_else(dash, short),
                allowed(row.first)
            )?;
            for check in &row.checks {
                write!(page, " {} |", cell(&figure(*check)))?;
            }
            writeln!(page)?;
        }
        writeln!(page)?;
    }
    for (result, machine) in claim.results.iter().zip(&merged.machines) {
        write!(
            page,
            "- {}: {}",
            cell(&machine.name),
            verdict(result.as_ref())
        )?;
        if let Some(result) = result {
            write!(page, ": {}.", cell(&result.because))?;
            for warning in &result.warnings {
                write!(page, " Warning: {}.", cell(warning))?;
            }
            if let Some(means) = &result.means {
                write!(page, " Today: {}", cell(means))?;
            }
        }
        writeln!(page)?;
    }
    if let Some(note) = &first.note {
        writeln!(page, "\n{}", cell(note))?;
    }
    by_hand(page, first)
}
