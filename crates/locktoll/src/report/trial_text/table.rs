//! One row a candidate, in as many columns as fit.

use std::fmt::{self, Write};

use super::super::quantity::count;
use super::super::text_table::{dash, spread_heading};
use super::super::{Metric, MetricSource, TrialResult, TrialRow};
use super::words::{bounds, factor, gain, value, verdict};

/// Between columns.
const GAP: usize = 2;

/// A column: its heading, whether its cells are words (which stand to the left), and its cells.
struct Column {
    heading: String,
    words: bool,
    cells: Vec<String>,
}

impl Column {
    fn new(result: &TrialResult, heading: &str, cell: impl Fn(&TrialRow) -> String) -> Self {
        Self {
            heading: heading.to_owned(),
            words: false,
            cells: result.results.iter().map(cell).collect(),
        }
    }

    fn of_words(self) -> Self {
        Self {
            words: true,
            ..self
        }
    }

    fn width(&self) -> usize {
        let cells = self.cells.iter().map(|cell| cell.chars().count());
        cells.max().unwrap_or(0).max(self.heading.chars().count())
    }

    fn write(&self, line: &mut String, text: &str) {
        let room = " ".repeat(self.width() - text.chars().count());
        match self.words {
            true => line.extend([text, &room]),
            false => line.extend([room.as_str(), text]),
        }
        line.push_str(&" ".repeat(GAP));
    }
}

/// Writes the table, without its last columns where they would not fit.
pub fn write(page: &mut String, result: &TrialResult, width: usize) -> fmt::Result {
    let mut columns = columns(result);
    let needed =
        |columns: &[Column]| columns.iter().map(|it| it.width() + GAP).sum::<usize>() - GAP;
    while columns.len() > 4 && needed(&columns) > width {
        columns.pop();
    }
    let mut heading = String::new();
    for column in &columns {
        column.write(&mut heading, &column.heading);
    }
    writeln!(page, "{}", heading.trim_end())?;
    for row in 0..result.results.len() {
        let mut line = String::new();
        for column in &columns {
            column.write(&mut line, &column.cells[row]);
        }
        writeln!(page, "{}", line.trim_end())?;
    }
    Ok(())
}

/// From the one that matters most to the one that is first left out.
fn columns(result: &TrialResult) -> Vec<Column> {
    let metric = &result.metric;
    let rounds = result
        .results
        .iter()
        .filter_map(|row| Some(row.ratio_to_bare?.n));
    let gained = |row: &TrialRow| Some(gain(metric, row.ratio_to_bare?));
    vec![
        Column::new(result, "lock", marked).of_words(),
        Column::new(result, "verdict", |row| verdict(metric, row)).of_words(),
        Column::new(result, "vs bare", |row| {
            gained(row).map_or_else(dash, |it| factor(it.median))
        }),
        Column::new(result, spread_heading(rounds.min()), |row| {
            gained(row).map_or_else(dash, bounds)
        }),
        Column::new(result, "CPU", |row| {
            row.cpu_ratio.map_or_else(dash, |it| factor(it.median))
        }),
        Column::new(result, heading(metric), |row| {
            row.metric.map_or_else(dash, |it| value(metric, it.median))
        }),
        Column::new(result, "replaced", |row| {
            row.coverage
                .as_ref()
                .map_or_else(dash, |it| count(it.locks_replaced))
        }),
    ]
}

fn heading(metric: &Metric) -> &'static str {
    match metric.source {
        MetricSource::WallTime => "time",
        MetricSource::Output => "metric",
    }
}

/// The lock's name, with a star where a note below says more.
fn marked(row: &TrialRow) -> String {
    match row.is_pure_spinner || !row.remarks.is_empty() {
        true => format!("{} *", row.lock),
        false => row.lock.clone(),
    }
}
