//! A bench result as text for a terminal.

use std::fmt::Write;

use locktoll_lab::cell::{self, Setting};
use locktoll_lab::machine::format_cpu_list;
use locktoll_lab::runner::CellSummary;

use super::answer::{answer, answered};
use super::notes::remark;
use super::{columns, notes};
use crate::table::{dash, interval, lay_out, spread_heading};
use crate::{Shown, sentence};
use locktoll_results::bench::BenchResult;
use locktoll_terminal::quantity::{counted, duration, price, rate};

impl Shown for BenchResult {
    fn title(&self) -> String {
        "locktoll bench".to_owned()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        render(page, self, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &BenchResult, width: usize) -> std::fmt::Result {
    sentence::answer(page, &answer(result), width)?;
    writeln!(page)?;
    let first = answered(result).map(|cell| setting_of(cell));
    let mut settings = by_setting(&result.cells);
    // The table behind the answer comes first; the others keep their order.
    settings.sort_by_key(|(setting, _)| Some(setting) != first.as_ref());
    for (setting, cells) in settings {
        sentence::answer(page, &setting, width)?;
        columns::table(page, &by_cost(cells), spread_of(cells), width)?;
        writeln!(page)?;
    }
    notes::write(page, result, width)
}

/// Groups neighbouring cells of the same setting, with that setting.
fn by_setting(mut cells: &[CellSummary]) -> Vec<(String, &[CellSummary])> {
    let mut settings = Vec::new();
    while let Some(first) = cells.first() {
        let setting = setting_of(first);
        let same = cells
            .iter()
            .take_while(|cell| setting_of(cell) == setting)
            .count();
        let (these, others) = cells.split_at(same);
        cells = others;
        settings.push((setting, these));
    }
    settings
}

/// Describes what all cells of one table have in common; parameters with their default values are left out.
pub fn setting_of(cell: &Setting) -> String {
    let mut setting = vec![cell.workload.name().to_owned(), threads_of(cell)];
    setting.extend(turned(cell));
    setting.join(", ")
}

/// `8 threads`
pub(super) fn threads_of(cell: &Setting) -> String {
    counted(u64::from(cell.threads), "thread", "threads")
}

/// Returns the parameters that differ from their defaults, each in words.
pub(super) fn turned(cell: &Setting) -> Vec<String> {
    let turned = cell.turned().into_iter();
    let words = turned.map(|knob| {
        let place = match knob.shown {
            cell::Shown::On => String::new(),
            cell::Shown::Number(number) => number.to_string(),
            cell::Shown::Share(percent) => percent.to_string(),
            cell::Shown::Ns(ns) => duration(ns as f64),
            cell::Shown::Rate(per_second) => rate(per_second),
            cell::Shown::Cpus(cpus) => format_cpu_list(&cpus),
        };
        knob.words.replace("{}", &place)
    });
    words.collect()
}

/// A column of [`ranking`]: its heading, and the text for a cell.
pub type Column = (&'static str, fn(&CellSummary) -> Option<String>);

/// Writes the short table: a lock, its price with interval, and `more` columns; the cheapest first.
pub fn ranking(page: &mut String, cells: &[CellSummary], more: &[Column]) -> std::fmt::Result {
    let mut head = vec!["lock", "per op", spread_of(cells)];
    head.extend(more.iter().map(|(heading, _)| *heading));
    let rows = by_cost(cells).into_iter().map(|cell| {
        let mut row = vec![
            marked(cell),
            cell.ns_per_op.map_or_else(dash, |op| price(op.median)),
            cell.ns_per_op.map_or_else(dash, interval),
        ];
        row.extend(more.iter().map(|(_, show)| show(cell).unwrap_or_else(dash)));
        row
    });
    lay_out(page, "   ", &head, rows)
}

/// Describes the bounds next to a median, for the row with the fewest rounds among those that have bounds.
fn spread_of(cells: &[CellSummary]) -> &'static str {
    let rounds = cells.iter().filter_map(|cell| Some(cell.ns_per_op?.n));
    let with_bounds = rounds.clone().filter(|rounds| *rounds > 1).min();
    spread_heading(with_bounds.or(rounds.min()))
}

fn by_cost(cells: &[CellSummary]) -> Vec<&CellSummary> {
    let mut rows: Vec<&CellSummary> = cells.iter().collect();
    let cost = |cell: &CellSummary| cell.ns_per_op.map_or(f64::INFINITY, |op| op.median);
    rows.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    rows
}

/// Returns the lock's name, with a star if a note below says more.
pub(super) fn marked(cell: &CellSummary) -> String {
    match remark(cell) {
        Some(_) => format!("{} *", cell.lock),
        None => cell.lock.clone(),
    }
}
