//! The table as text.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};
use locktoll_lab::stats::{Estimate, confidence};

use super::group::{Goal, Group};
use super::row::{Row, Standing, Unit};

/// One group: its lines, every lock's figures, and what is to be said of them.
pub fn group(group: Group, subject: &str, rows: &[Row], remarks: &[String]) -> String {
    let mut page = String::new();
    let _ = writeln!(page, "{}", group.heading());
    let _ = writeln!(page, "  to reach: {}", group.to_reach());
    let rounds = rows.iter().filter_map(|row| Some(row.judged?.n)).min();
    let ratio = rounds.map_or_else(
        || "ratio".to_owned(),
        |n| format!("ratio ({:.0} %)", (confidence(n) * 100.0).min(95.0)),
    );
    let lines = rows.iter().map(|row| {
        vec![
            row.title.clone(),
            row.ours
                .map_or_else(dash, |ours| figure(ours.median, row.unit)),
            row.peer
                .as_ref()
                .map_or_else(dash, |peer| named(peer, row.unit)),
            judged(row),
            row.goal.map_or_else(dash, |goal| limit(goal, row)),
            row.verdict.words(),
        ]
    });
    let head = ["", subject, "peer", &ratio, "to reach", "verdict"];
    lay_out(&mut page, &head, lines, &[5]);
    every_lock(&mut page, rows);
    for line in remarks {
        let _ = writeln!(page, "  {line}");
    }
    page
}

/// Every lock's figure in every line that has them; each cell once.
fn every_lock(page: &mut String, rows: &[Row]) {
    let mut shown: Vec<&Row> = Vec::new();
    for row in rows.iter().filter(|row| row.all.len() > 1) {
        if !shown.iter().any(|known| known.title == row.title) {
            shown.push(row);
        }
    }
    let Some(first) = shown.first() else {
        return;
    };
    let mut head = vec!["every lock"];
    head.extend(first.all.iter().map(|standing| standing.lock.as_str()));
    let lines = shown.iter().map(|row| {
        let mut line = vec![row.title.clone()];
        let medians = row.all.iter().map(|standing| {
            let median = standing.figure.map(|it| it.median);
            median.map_or_else(dash, |median| figure(median, row.unit))
        });
        line.extend(medians);
        line
    });
    let _ = writeln!(page);
    lay_out(page, &head, lines, &[]);
}

/// Columns under their headings: names to the left, figures to the right, and `left` to the left as well.
pub fn lay_out(
    page: &mut String,
    head: &[&str],
    lines: impl Iterator<Item = Vec<String>>,
    left: &[usize],
) {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(head.to_vec())
        .add_rows(lines);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index > 0 && !left.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for line in table.to_string().lines() {
        let _ = writeln!(page, "{}", format!("  {line}").trim_end());
    }
}

fn named(peer: &Standing, unit: Unit) -> String {
    let figure = peer.figure.map_or_else(dash, |it| figure(it.median, unit));
    format!("{} {figure}", peer.lock)
}

/// What is judged, with its interval: a ratio to the peer, or the subject's own figure.
fn judged(row: &Row) -> String {
    let Some(Estimate {
        median, low, high, ..
    }) = row.judged
    else {
        return dash();
    };
    let unit = judged_unit(row);
    let shown = figure(median, unit);
    if low == high {
        return shown;
    }
    format!("{shown} ({} .. {})", figure(low, unit), figure(high, unit))
}

/// A ratio where a peer is the measure, else the unit of the line.
fn judged_unit(row: &Row) -> Unit {
    match row.goal {
        Some(Goal::AtLeast(_)) | None if row.unit == Unit::Ns => Unit::Times,
        _ => row.unit,
    }
}

fn limit(goal: Goal, row: &Row) -> String {
    let unit = judged_unit(row);
    match goal {
        Goal::AtLeast(limit) => format!(">= {}", figure(limit, unit)),
        Goal::AtMost(limit) => format!("<= {}", figure(limit, unit)),
    }
}

/// Three digits, with the unit.
pub fn figure(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{:.1} %", value * 100.0),
        Unit::Times if value < 99.95 => format!("{value:.2}x"),
        Unit::Times => format!("{value:.0}x"),
        Unit::Ns => time(value),
    }
}

/// Three digits.
fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        _ if ns < 999.5 => (ns, "ns"),
        _ if ns < 999_500.0 => (ns / 1e3, "us"),
        _ if ns < 999_500_000.0 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let digits = match value {
        _ if value < 9.995 => 2,
        _ if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// In the place of a figure that there is none of.
pub fn dash() -> String {
    "-".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_few_digits_and_a_unit() {
        for (ns, shown) in [
            (9.456, "9.46 ns"),
            (9.996, "10.0 ns"),
            (99.96, "100 ns"),
            (999.6, "1.00 us"),
            (12_345.0, "12.3 us"),
            (32_000_000.0, "32.0 ms"),
            (1.5e9, "1.50 s"),
        ] {
            assert_eq!(figure(ns, Unit::Ns), shown);
        }
        assert_eq!(figure(0.4987, Unit::Share), "49.9 %");
        assert_eq!(figure(1.0 / 1.03, Unit::Times), "0.97x");
        assert_eq!(figure(374_762.6, Unit::Times), "374763x");
    }
}
