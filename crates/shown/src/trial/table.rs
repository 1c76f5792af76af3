//! One row per candidate, in as many columns as fit.

use std::fmt;

use super::words::{bounds, factor, gain, value, verdict};
use crate::table::{self, dash, spread_heading};
use locktoll_results::trial::{Metric, MetricSource, TrialResult, TrialRow};
use locktoll_terminal::quantity::count;

/// The number of columns that are never left out.
const LEAST: usize = 4;

/// A heading, and the text below it.
type Column<'a> = (&'static str, Box<dyn Fn(&TrialRow) -> String + 'a>);

/// Writes the table, without its last columns if they would not fit.
pub fn write(page: &mut String, result: &TrialResult, width: usize) -> fmt::Result {
    let mut columns = columns(result);
    loop {
        let head: Vec<&str> = columns.iter().map(|(heading, _)| *heading).collect();
        let cells = |row| columns.iter().map(|(_, cell)| cell(row)).collect();
        let lines = table::lines(&head, &[0, 1], result.results.iter().map(cells));
        let fit = lines.iter().all(|line| line.chars().count() <= width);
        if fit || columns.len() <= LEAST {
            return table::write(page, "", &lines);
        }
        columns.pop();
    }
}

/// Returns the columns, from the most important to the first that is left out.
fn columns(result: &TrialResult) -> Vec<Column<'_>> {
    let metric = &result.metric;
    let rounds = result
        .results
        .iter()
        .filter_map(|row| Some(row.ratio_to_bare?.n));
    let gained = |row: &TrialRow| Some(gain(metric, row.ratio_to_bare?));
    let spread = spread_heading(rounds.min());
    vec![
        ("lock", Box::new(marked)),
        ("verdict", Box::new(|row| verdict(metric, row))),
        (
            "vs bare",
            Box::new(move |row| gained(row).map_or_else(dash, |it| factor(it.median))),
        ),
        (
            spread,
            Box::new(move |row| gained(row).map_or_else(dash, bounds)),
        ),
        (
            "CPU",
            Box::new(|row| row.cpu_ratio.map_or_else(dash, |it| factor(it.median))),
        ),
        (
            heading(metric),
            Box::new(|row| row.metric.map_or_else(dash, |it| value(metric, it.median))),
        ),
        (
            "replaced",
            Box::new(|row| {
                let coverage = row.coverage.as_ref();
                coverage.map_or_else(dash, |it| count(it.locks_replaced))
            }),
        ),
    ]
}

fn heading(metric: &Metric) -> &'static str {
    match metric.source {
        MetricSource::WallTime => "time",
        MetricSource::Output => "metric",
    }
}

/// Returns the lock's name, with a star if a note below says more.
fn marked(row: &TrialRow) -> String {
    match row.is_pure_spinner || !row.remarks.is_empty() {
        true => format!("{} *", row.lock),
        false => row.lock.clone(),
    }
}
