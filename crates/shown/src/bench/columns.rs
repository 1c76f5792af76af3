//! The table of a setting: one row per lock, with as many columns as fit the terminal.

use std::fmt;

use locktoll_lab::runner::CellSummary;
use locktoll_lab::stats::Estimate;

use super::text::marked;
use crate::table::{self, dash, interval};
use locktoll_terminal::quantity::{duration, price, rate};
use locktoll_terminal::width::WIDTH_OF_FILES;

/// A heading; the rank, by which columns are left out if there is little room (0 never is); and the text of a cell.
type Column = (&'static str, u8, fn(&CellSummary) -> String);

const COLUMNS: [Column; 13] = [
    ("lock", 0, marked),
    ("per op", 0, |cell| median(cell.ns_per_op, price)),
    ("", 1, |cell| cell.ns_per_op.map_or_else(dash, interval)),
    ("user", 6, |cell| median(cell.user_ns_per_op, price)),
    ("kernel", 7, |cell| median(cell.system_ns_per_op, price)),
    ("sleeps", 3, |cell| {
        median(cell.voluntary_switches_per_op, few)
    }),
    ("forced", 8, |cell| {
        median(cell.involuntary_switches_per_op, few)
    }),
    ("p50", 9, |cell| {
        median(cell.acquire_ns.as_ref().and_then(|it| it.p50), duration)
    }),
    ("p99", 2, |cell| {
        median(cell.acquire_ns.as_ref().and_then(|it| it.p99), duration)
    }),
    ("p99.9", 10, |cell| {
        median(cell.acquire_ns.as_ref().and_then(|it| it.p99_9), duration)
    }),
    ("longest", 4, |cell| {
        let waits = cell.acquire_ns.as_ref();
        waits.map_or_else(dash, |waits| duration(waits.max as f64))
    }),
    ("jain", 5, |cell| {
        let fairness = cell.fairness.as_ref().filter(|_| cell.threads > 1);
        median(fairness.and_then(|it| it.jain), |jain| format!("{jain:.2}"))
    }),
    ("run", 6, |cell| {
        let fairness = cell.fairness.as_ref().filter(|_| cell.threads > 1);
        fairness
            .and_then(|it| it.longest_run)
            .map_or_else(dash, tally)
    }),
];

/// Shown only if hogs ran.
const HOGS: Column = ("hogs/s", 2, |cell| median(cell.bystander_per_second, rate));

/// Writes the rows. `spread` is the heading of the bounds. A file has all columns, a narrow terminal the most important ones.
pub fn table(
    page: &mut String,
    rows: &[&CellSummary],
    spread: &'static str,
    width: usize,
) -> fmt::Result {
    let hogs = rows.iter().any(|cell| cell.hogs > 0).then_some(HOGS);
    let mut columns: Vec<Column> = COLUMNS.into_iter().chain(hogs).collect();
    loop {
        let head: Vec<&str> = columns
            .iter()
            .map(|(heading, ..)| if heading.is_empty() { spread } else { heading })
            .collect();
        let cells = |cell: &&CellSummary| columns.iter().map(|(_, _, show)| show(cell)).collect();
        let lines = table::lines(&head, &[0], rows.iter().map(cells));
        let fits =
            width >= WIDTH_OF_FILES || lines.iter().all(|line| line.chars().count() <= width);
        let last = columns
            .iter()
            .map(|(_, rank, _)| *rank)
            .max()
            .filter(|rank| *rank > 0);
        match last {
            Some(rank) if !fits => columns.retain(|(_, other, _)| *other < rank),
            _ => return table::write(page, "", &lines),
        }
    }
}

fn median(estimate: Option<Estimate>, show: fn(f64) -> String) -> String {
    estimate.map_or_else(dash, |estimate| show(estimate.median))
}

/// Formats a number of switches per operation, usually far below one.
fn few(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        ..0.0005 => "<.001".to_owned(),
        _ => format!("{number:.3}"),
    }
}

/// Formats a number of acquisitions, as a whole number below a thousand.
fn tally(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => rate(number as f64),
    }
}
