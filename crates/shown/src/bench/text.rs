//! A bench result as text for a terminal.

use std::fmt::Write;

use anstyle::{Effects, Style};
use locktoll_lab::cell::{self, Arrival, Length};
use locktoll_lab::machine::format_cpu_list;
use locktoll_lab::runner::CellSummary;
use locktoll_lab::stats::Estimate;

use crate::Shown;
use crate::table::{dash, interval, lay_out, spread_heading};
use locktoll_results::bench::BenchResult;
use locktoll_terminal::quantity::{counted, duration, price, rate};

const STRONG: Style = Style::new().effects(Effects::BOLD);
const FAINT: Style = Style::new().effects(Effects::DIMMED);

impl Shown for BenchResult {
    fn title(&self) -> String {
        "locktoll bench".to_owned()
    }

    fn write(&self, page: &mut String, _: usize) -> std::fmt::Result {
        render(page, self)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &BenchResult) -> std::fmt::Result {
    let mut rest: &[CellSummary] = &result.cells;
    while let Some(first) = rest.first() {
        let setting = setting_of(first);
        let same = rest
            .iter()
            .take_while(|cell| setting_of(cell) == setting)
            .count();
        let (cells, others) = rest.split_at(same);
        rest = others;
        writeln!(page, "{STRONG}{setting}{STRONG:#}")?;
        table(page, cells)?;
        writeln!(page)?;
    }
    notes(page, result)
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

/// One row a lock, the cheapest first.
fn table(page: &mut String, cells: &[CellSummary]) -> std::fmt::Result {
    let hogs = cells.iter().any(|cell| cell.hogs > 0);
    let mut head = vec![
        "lock",
        "per op",
        spread_of(cells),
        "user",
        "kernel",
        "sleeps",
        "forced",
        "p50",
        "p99",
        "p99.9",
        "longest",
        "jain",
        "run",
    ];
    if hogs {
        head.push("hogs/s");
    }
    let rows = by_cost(cells).into_iter().map(|cell| row(cell, hogs));
    lay_out(page, "", &head, rows)
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

fn row(cell: &CellSummary, hogs: bool) -> Vec<String> {
    let median =
        |e: Option<Estimate>, show: fn(f64) -> String| e.map_or_else(dash, |e| show(e.median));
    let waits = cell.acquire_ns.as_ref();
    let fairness = cell.fairness.as_ref().filter(|_| cell.threads > 1);
    let mut row = vec![
        marked(cell),
        median(cell.ns_per_op, price),
        cell.ns_per_op.map_or_else(dash, interval),
        median(cell.user_ns_per_op, price),
        median(cell.system_ns_per_op, price),
        median(cell.voluntary_switches_per_op, few),
        median(cell.involuntary_switches_per_op, few),
        median(waits.and_then(|w| w.p50), duration),
        median(waits.and_then(|w| w.p99), duration),
        median(waits.and_then(|w| w.p99_9), duration),
        waits.map_or_else(dash, |w| duration(w.max as f64)),
        median(fairness.and_then(|f| f.jain), |jain| format!("{jain:.2}")),
        fairness
            .and_then(|f| f.longest_run)
            .map_or_else(dash, tally),
    ];
    if hogs {
        row.push(median(cell.bystander_per_second, rate));
    }
    row
}

/// The lock's name, with a star when a note below says more.
fn marked(cell: &CellSummary) -> String {
    match remark(cell) {
        Some(_) => format!("{} *", cell.lock),
        None => cell.lock.clone(),
    }
}

/// What is not as it should be with a cell.
fn remark(cell: &CellSummary) -> Option<String> {
    let mut remarks = Vec::new();
    if let Some(cut) = cell.cut_off {
        remarks.push(format!(
            "cut off: {} had not come out {} after they were told to stop; the figures are those \
             until then",
            counted(u64::from(cut.threads), "thread", "threads"),
            duration(cut.waited_ns as f64)
        ));
    }
    if let Some(broken) = &cell.exclusion_broken {
        remarks.push(format!("let two threads in at once: {broken}"));
    }
    if cell.idle_slices > 0 {
        remarks.push(format!(
            "no operation was completed in {}; each stands as one that takes the whole slice, \
             which is too little (try a longer --duration)",
            counted(cell.idle_slices, "slice", "slices")
        ));
    }
    if let (Arrival::Open { per_second }, Some(done)) = (cell.arrival, cell.ops_per_second)
        && done.median < 0.95 * per_second
    {
        remarks.push(format!(
            "saturated: {}/s of the {}/s that arrived were served, so waits grow with the duration",
            rate(done.median),
            rate(per_second)
        ));
    }
    remarks.extend(cell.failure.clone());
    (!remarks.is_empty()).then(|| remarks.join("; "))
}

/// A number of switches an operation, mostly far below one.
fn few(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        ..0.0005 => "<.001".to_owned(),
        _ => format!("{number:.3}"),
    }
}

/// A number of acquisitions: whole below a thousand.
fn tally(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => rate(number as f64),
    }
}

/// How many rounds there were, as far as they went.
fn rounds(result: &BenchResult) -> String {
    let planned = counted(u64::from(result.repeat), "round", "interleaved rounds");
    match result.partial {
        true => format!("what there was of {planned}"),
        false => planned,
    }
}

/// What the figures are, and how far to trust them.
fn notes(page: &mut String, result: &BenchResult) -> std::fmt::Result {
    for cell in &result.cells {
        if let Some(remark) = remark(cell) {
            let setting = setting_of(cell);
            writeln!(page, "* {} ({setting}): {remark}", cell.lock)?;
        }
    }
    let length = match result.cells.first().map(|cell| cell.length) {
        Some(Length::Time { ns }) => duration(ns as f64),
        Some(Length::Rounds { each }) => format!("{each} operations a thread"),
        None => return Ok(()),
    };
    let empty = match result.empty_loop_ns {
        Some(empty) => format!("the empty loop ({}) is subtracted", price(empty.median)),
        None => "nothing is subtracted: the empty loop could not be measured".to_owned(),
    };
    writeln!(
        page,
        "{FAINT}Medians of {} of {length}. per op: wall time over operations of all \
         threads;\nwith 1 thread {empty}. user, kernel: CPU time an operation.\nsleeps, forced: \
         voluntary and involuntary switches an operation. p50 to longest: time to acquire, from\n\
         slices of their own (reading the clock costs {}). jain: 1 is fair. run: most acquisitions \
         in a row.{FAINT:#}",
        rounds(result),
        price(result.clock.cost_ns)
    )?;
    for pair in &result.noise.same_lock_twice {
        // A document that was read back may point anywhere.
        let setting = result.cells.get(pair.cell).map_or_else(dash, setting_of);
        let Estimate {
            median,
            low,
            high,
            n,
        } = pair.ratio;
        write!(page, "Same lock twice ({}; {setting}): ", pair.lock)?;
        match n {
            1 => writeln!(page, "{median:.2}x in one round, which says little.")?,
            _ => writeln!(
                page,
                "{median:.2}x ({low:.2} .. {high:.2}). Differences within that mean nothing."
            )?,
        }
    }
    for warning in &result.noise.seen.warnings {
        writeln!(page, "Warning: {warning}")?;
    }
    if result.partial {
        writeln!(page, "PARTIAL: interrupted before the last round.")?;
    }
    Ok(())
}
