//! Published claims of several machines as a text page: one column per machine.

use std::fmt::Write;

use locktoll_results::merged::{DifferenceKind, Merged, MergedClaim};
use locktoll_results::reproduction::{Check, Claim};
use locktoll_terminal::fold::folded;
use locktoll_terminal::quantity::counted;

use super::text::{STRONG, allowed, dash, interval, short, verdict_words};
use crate::{Shown, machine_line, sentence, table};

impl Shown for Merged {
    fn title(&self) -> String {
        "locktoll reproduce --merge".to_owned()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        render(page, self, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, merged: &Merged, width: usize) -> std::fmt::Result {
    sentence::answer(page, &answer(merged), width)?;
    writeln!(page)?;
    for machine in &merged.machines {
        let date = machine.made.as_ref().and_then(|made| made.date.as_ref());
        let date = date.map_or(String::new(), |date| format!(", {date}"));
        let about = machine_line(&machine.machine);
        let line = format!("{about}, locktoll {}{date}", machine.version);
        folded(page, &format!("{}: ", machine.name), &line, width)?;
        if let Some(stand_in) = &machine.machine.stand_in {
            writeln!(page, "    {stand_in}: no claim is judged there.")?;
        }
        if machine.partial {
            writeln!(page, "    PARTIAL: not all claims have been run.")?;
        }
    }
    if !merged.differences.is_empty() {
        writeln!(page, "\n{STRONG}Differences{STRONG:#}")?;
        for difference in &merged.differences {
            folded(page, "  ", &format!("{}.", difference.what), width)?;
        }
    }
    let names = merged.machines.iter().map(|machine| machine.name.as_str());
    let head: Vec<&str> = ["id", "claim"].into_iter().chain(names.clone()).collect();
    let left: Vec<usize> = (0..head.len()).collect();
    let verdicts = merged.claims.iter().map(|claim| {
        let results = claim.results.iter();
        let words = results.map(|result| verdict(result.as_ref()).to_owned());
        [claim.id.clone(), claim.title.clone()]
            .into_iter()
            .chain(words)
            .collect()
    });
    writeln!(page)?;
    table::write(page, "", &table::lines(&head, &left, verdicts))?;
    let head: Vec<&str> = ["check", "published", "claim allows"]
        .into_iter()
        .chain(names)
        .collect();
    for claim in &merged.claims {
        let rows = rows(claim);
        if rows.is_empty() {
            continue;
        }
        writeln!(page, "\n{STRONG}{:4} {}{STRONG:#}", claim.id, claim.title)?;
        let lines = rows.iter().map(|row| {
            let fixed = [
                row.first.what.clone(),
                row.first.published.map_or_else(dash, short),
                allowed(row.first),
            ];
            let figures = row.checks.iter().map(|check| figure(*check));
            fixed.into_iter().chain(figures).collect()
        });
        table::write(page, "     ", &table::lines(&head, &[0], lines))?;
    }
    Ok(())
}

/// Says how many claims and machines there are, and how much the machines differ.
pub(super) fn answer(merged: &Merged) -> String {
    let of = |kind| {
        let all = merged.differences.iter();
        all.filter(|it| it.kind == kind).count() as u64
    };
    let claims = counted(merged.claims.len() as u64, "claim", "claims");
    let machines = counted(merged.machines.len() as u64, "machine", "machines");
    let mut text = format!("{claims} on {machines}:");
    let (verdict, unjudged, apart) = (
        of(DifferenceKind::Verdict),
        of(DifferenceKind::Unjudged),
        of(DifferenceKind::Interval),
    );
    if verdict + unjudged + apart == 0 {
        text.push_str(" no differences.");
        return text;
    }
    let parts = [
        (
            verdict,
            ["claim holds", "claims hold"],
            "on one and not on another",
        ),
        (
            unjudged,
            ["claim was", "claims were"],
            "judged on some of them only",
        ),
        (
            apart,
            ["check has", "checks have"],
            "intervals that do not overlap",
        ),
    ];
    let parts: Vec<String> = (parts.into_iter())
        .filter(|(count, ..)| *count > 0)
        .map(|(count, [one, many], what)| format!("{} {what}", counted(count, one, many)))
        .collect();
    let _ = write!(text, " {}.", parts.join(", "));
    text
}

/// A check, as each machine found it.
#[derive(Debug)]
pub(super) struct Row<'a> {
    /// The check of the first machine that has it.
    pub first: &'a Check,
    /// The check of each machine.
    pub checks: Vec<Option<&'a Check>>,
}

/// Returns the checks of a claim, each once.
pub(super) fn rows(claim: &MergedClaim) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for check in claim.results.iter().flatten().flat_map(|it| &it.checks) {
        if rows.iter().any(|row| row.first.what == check.what) {
            continue;
        }
        let checks = claim.results.iter().map(|result| {
            let mut checks = result.iter().flat_map(|it| &it.checks);
            checks.find(|it| it.what == check.what)
        });
        rows.push(Row {
            first: check,
            checks: checks.collect(),
        });
    }
    rows
}

/// Writes the figure of a check with its interval, and its verdict.
pub(super) fn figure(check: Option<&Check>) -> String {
    let Some(check) = check else { return dash() };
    let verdict = verdict_words(check.verdict);
    match check.measured {
        None => format!("{}: {verdict}", dash()),
        Some(it) if it.n == 1 => format!("{}: {verdict}", short(it.median)),
        Some(it) => format!("{} ({}): {verdict}", short(it.median), interval(it)),
    }
}

/// Returns the verdict of a machine in words.
pub(super) fn verdict(result: Option<&Claim>) -> &'static str {
    result.map_or("not there", |claim| verdict_words(claim.verdict))
}
