//! Tables for a terminal, without lines around them.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};
use locktoll_lab::stats::{Estimate, confidence};

use locktoll_terminal::quantity::price;

/// Lays out columns under their headings, names to the left and figures to the right.
pub fn lay_out(
    page: &mut String,
    indent: &str,
    head: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> std::fmt::Result {
    write(page, indent, &lines(head, &[0], rows))
}

/// Writes lines of a table.
pub fn write(page: &mut String, indent: &str, lines: &[String]) -> std::fmt::Result {
    lines
        .iter()
        .try_for_each(|line| writeln!(page, "{indent}{line}"))
}

/// Returns the lines of a table, the heading first. Columns of `words` are aligned to the left, the others to the right.
pub fn lines(
    head: &[&str],
    words: &[usize],
    rows: impl Iterator<Item = Vec<String>>,
) -> Vec<String> {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(head.to_vec())
        .add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if !words.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let table = table.to_string();
    table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Returns the text in place of a missing figure.
pub fn dash() -> String {
    "-".to_owned()
}

/// Formats both bounds of an estimate, or a dash if there was only one sample.
pub fn interval(estimate: Estimate) -> String {
    if estimate.n < 2 {
        return dash();
    }
    // One unit is enough if both ends share it.
    let (low, high) = (price(estimate.low), price(estimate.high));
    match (low.split_once(' '), high.split_once(' ')) {
        (Some((number, unit)), Some((_, same))) if unit == same => format!("{number} .. {high}"),
        _ => format!("{low} .. {high}"),
    }
}

/// Returns the heading over intervals from at least this many rounds. With fewer than six rounds the bounds are the least and
/// the greatest value, and include the true median with a probability of less than 95 %.
pub fn spread_heading(rounds: Option<usize>) -> &'static str {
    match rounds {
        Some(n) if confidence(n) < 0.95 => "least .. most",
        _ => "95 % interval",
    }
}
