//! The rows of a comparison in columns.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use super::amounts::{amount, factor, interval};
use crate::profile::text::{Name, Table};
use locktoll_results::Kind;
use locktoll_results::comparison::{Row, RowVerdict};
use locktoll_terminal::width::WIDTH_OF_FILES;

/// The fewest characters for names.
const NAME_ROOM: usize = 30;

/// Further figures besides the leading one, whose ratios are shown if there is room, with their headings, by the kind of
/// result.
fn further(row: &[&Row]) -> Vec<(&'static str, &'static str)> {
    const COLUMNS: [(&str, &str); 6] = [
        ("ns_per_op", "per op"),
        ("p99_ns", "p99"),
        ("voluntary_switches_per_op", "sleeps"),
        ("wait_ns", "wait"),
        ("wait_ns_per_acquisition", "each"),
        ("contended", "contended"),
    ];
    let wanted = |name: &str| {
        let mut rows = row.iter();
        rows.any(|row| {
            row.metric != name
                && row
                    .metrics
                    .iter()
                    .any(|it| it.name == name && it.ratio.is_some())
        })
    };
    COLUMNS
        .into_iter()
        .filter(|(name, _)| wanted(name))
        .collect()
}

/// Writes the table, each row with its ratio and its verdict in words.
pub fn table(page: &mut String, kind: Kind, rows: &[&Row]) -> fmt::Result {
    if rows.is_empty() {
        return writeln!(page, "Nothing to compare: no rows on either side.");
    }
    let head = match kind {
        Kind::Bench => "measurement",
        Kind::Machine => "price",
        Kind::Profile | Kind::Try => "lock",
        _ => "what",
    };
    let dash = || "-".to_owned();
    let mut table = Table::new(head, NAME_ROOM);
    table.column(
        "B is",
        0,
        rows.iter().map(|row| verdict(row.verdict).to_owned()),
    );
    table.column(
        "ratio",
        0,
        rows.iter()
            .map(|row| row.ratio.as_ref().map_or_else(dash, factor)),
    );
    let intervals: Vec<Option<String>> = rows
        .iter()
        .map(|row| row.ratio.as_ref().and_then(interval))
        .collect();
    if intervals.iter().any(Option::is_some) {
        let intervals = intervals.into_iter().map(|it| it.unwrap_or_else(dash));
        table.column("interval", 1, intervals);
    }
    let unit = |row: &Row| {
        row.metrics
            .iter()
            .find(|it| it.name == row.metric)
            .map(|it| it.unit)
    };
    for (head, of) in [("A", (|row| row.a) as fn(&Row) -> _), ("B", |row| row.b)] {
        let cells = rows.iter().map(|row| match (unit(row), of(row)) {
            (Some(unit), Some(figure)) => amount(unit, figure),
            _ => dash(),
        });
        table.column(head, 0, cells);
    }
    for (place, (metric, head)) in (2..).zip(further(rows)) {
        let cells = rows.iter().map(|row| {
            let found = row.metrics.iter().find(|it| it.name == metric);
            found
                .and_then(|it| it.ratio.as_ref())
                .map_or_else(dash, factor)
        });
        table.column(head, place, cells);
    }
    let (common, names) = names(rows);
    table.names(names.into_iter());
    if let Some(common) = common {
        fold::write(page, "All rows: ", &common, WIDTH_OF_FILES)?;
    }
    table.write(page, WIDTH_OF_FILES, 0)
}

/// Returns the names of rows. The part after the first comma is split off if all of them have it in common.
fn names(rows: &[&Row]) -> (Option<String>, Vec<Name>) {
    // The keys of cells begin with their names; other rows have complete names.
    let knobs: Vec<Option<Vec<&str>>> = rows
        .iter()
        .map(|row| {
            let behind = row.key.strip_prefix(&row.name)?.strip_prefix(", ")?;
            Some(behind.split(", ").collect())
        })
        .collect();
    let mut common: Vec<&str> = match knobs.first() {
        Some(Some(first)) if rows.len() > 1 => first.clone(),
        _ => Vec::new(),
    };
    for knobs in &knobs {
        let Some(knobs) = knobs else {
            common.clear();
            break;
        };
        common.retain(|knob| knobs.contains(knob));
    }
    let names = rows
        .iter()
        .zip(&knobs)
        .map(|(row, knobs)| {
            let own: Vec<&str> = knobs
                .iter()
                .flatten()
                .copied()
                .filter(|knob| !common.contains(knob))
                .collect();
            Name {
                text: row.name.clone(),
                remark: own.iter().map(|knob| format!(", {knob}")).collect(),
            }
        })
        .collect();
    ((!common.is_empty()).then(|| common.join(", ")), names)
}

fn verdict(verdict: RowVerdict) -> &'static str {
    match verdict {
        RowVerdict::Slower => "slower",
        RowVerdict::Faster => "faster",
        RowVerdict::Changed => "changed",
        RowVerdict::NoDifference => "-",
        RowVerdict::NotJudged => "?",
        RowVerdict::OnlyA => "missing",
        RowVerdict::OnlyB => "new",
    }
}

/// Writes the claims with their verdicts, and the checks whose figures differ.
pub fn claims(page: &mut String, rows: &[&Row]) -> fmt::Result {
    for row in rows {
        match &row.note {
            Some(note) => {
                let turned = match row.verdict {
                    RowVerdict::Slower => "worse",
                    RowVerdict::Faster => "better",
                    other => verdict(other),
                };
                let lead = format!("{turned:<8}{:<5}", row.key);
                fold::write(
                    page,
                    &lead,
                    &format!("{note}: {}", row.name),
                    WIDTH_OF_FILES,
                )?;
            }
            None => {
                let measured = |it: Option<_>| {
                    it.map_or_else(
                        || "-".to_owned(),
                        |it| amount(locktoll_results::comparison::Unit::Quotient, it),
                    )
                };
                let lead = format!("{:<8}", verdict(row.verdict));
                let words = format!(
                    "{}: {} in A, {} in B",
                    row.key,
                    measured(row.a),
                    measured(row.b)
                );
                fold::write(page, &lead, &words, WIDTH_OF_FILES)?;
            }
        }
    }
    Ok(())
}
