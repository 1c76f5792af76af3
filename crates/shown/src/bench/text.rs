//! A bench result as text for a terminal.

use std::fmt::Write;

use locktoll_lab::cell;
use locktoll_lab::machine::format_cpu_list;
use locktoll_lab::runner::CellSummary;

use super::answer::answer;
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
    let mut rest: &[CellSummary] = &result.cells;
    while let Some(first) = rest.first() {
        let setting = setting_of(first);
        let same = rest
            .iter()
            .take_while(|cell| setting_of(cell) == setting)
            .count();
        let (cells, others) = rest.split_at(same);
        rest = others;
        sentence::answer(page, &setting, width)?;
        columns::table(page, &by_cost(cells), spread_of(cells), width)?;
        writeln!(page)?;
    }
    notes::write(page, result, width)
}

/// All that the cells of one table have in common; knobs at rest are left out.
pub fn setting_of(cell: &CellSummary) -> String {
    let mut setting = format!(
        "{}, {}",
        cell.workload.name(),
        counted(u64::from(cell.threads), "thread", "threads")
    );
    for knob in cell.turned() {
        let place = match knob.shown {
            cell::Shown::On => String::new(),
            cell::Shown::Number(number) => number.to_string(),
            cell::Shown::Share(percent) => percent.to_string(),
            cell::Shown::Ns(ns) => duration(ns as f64),
            cell::Shown::Rate(per_second) => rate(per_second),
            cell::Shown::Cpus(cpus) => format_cpu_list(&cpus),
        };
        setting.push_str(", ");
        setting.push_str(&knob.words.replace("{}", &place));
    }
    setting
}

/// A column of [`ranking`]: its heading, and what a cell shows there.
pub type Column = (&'static str, fn(&CellSummary) -> Option<String>);

/// The short table: a lock, its price with interval, and `more` columns; the cheapest first.
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

/// What the bounds beside a median are worth, of the row with the fewest rounds.
fn spread_of(cells: &[CellSummary]) -> &'static str {
    let rounds = cells.iter().filter_map(|cell| Some(cell.ns_per_op?.n));
    spread_heading(rounds.min())
}

fn by_cost(cells: &[CellSummary]) -> Vec<&CellSummary> {
    let mut rows: Vec<&CellSummary> = cells.iter().collect();
    let cost = |cell: &CellSummary| cell.ns_per_op.map_or(f64::INFINITY, |op| op.median);
    rows.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    rows
}

/// The lock's name, with a star when a note below says more.
pub(super) fn marked(cell: &CellSummary) -> String {
    match remark(cell) {
        Some(_) => format!("{} *", cell.lock),
        None => cell.lock.clone(),
    }
}
