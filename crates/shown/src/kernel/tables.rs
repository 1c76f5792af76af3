//! One table per axis.

use std::fmt::Write;

use crate::profile::text::styles::FAINT;
use crate::table::{dash, lay_out};
use locktoll_results::kernel::{KernelCaller, KernelLock, KernelResult, KernelWaits};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::{count, counted, duration, share};

/// The figures in each row of every table.
const FIGURES: [&str; 6] = ["waits", "total", "of all", "median", "p99", "longest"];

/// A selection that leaves room for long names.
const FEWER: [&str; 4] = ["waits", "total", "of all", "longest"];

/// Writes the table by kind of lock.
pub fn kinds(page: &mut String, result: &KernelResult) -> std::fmt::Result {
    let rows = result.kinds.iter().map(|row| {
        let mut cells = vec![row.kind.words().to_owned()];
        cells.extend(figures(&row.waits, &result.total));
        cells
    });
    lay_out(page, "  ", &head("kind"), rows)?;
    for row in result.kinds.iter().filter(|row| row.failed > 0) {
        writeln!(
            page,
            "  {FAINT}{}: {} without the lock, by a signal{FAINT:#}",
            row.kind.words(),
            counted(row.failed, "wait ended", "waits ended")
        )?;
    }
    Ok(())
}

/// Writes the table by caller.
pub fn callers(
    page: &mut String,
    result: &KernelResult,
    callers: &[KernelCaller],
    top: usize,
    width: usize,
) -> std::fmt::Result {
    // Names that come from elsewhere are not trusted.
    let name = |row: &KernelCaller| {
        let own = row.function.as_deref().unwrap_or("(no stack)");
        shown_text(own)
    };
    let rows = callers.iter().take(top).map(|row| {
        let mut cells = vec![name(row), row.kind.words().to_owned()];
        cells.extend(fewer(&row.waits, &result.total));
        cells
    });
    let head: Vec<&str> = ["function", "kind"].into_iter().chain(FEWER).collect();
    lay_out(page, "  ", &head, rows)?;
    left_over(page, callers.iter().map(|row| &row.waits), top, result)?;
    // The path that leads there is worth a line if it says more than the name.
    let most = callers.iter().take(top.min(3));
    for row in most.filter(|row| !row.from.is_empty()) {
        let line = format!("{} from {}", name(row), shown_text(&row.from.join(" < ")));
        let line: String = line.chars().take(width.saturating_sub(2)).collect();
        writeln!(page, "  {FAINT}{line}{FAINT:#}")?;
    }
    Ok(())
}

/// Writes the table by lock.
pub fn locks(
    page: &mut String,
    result: &KernelResult,
    locks: &[KernelLock],
    top: usize,
) -> std::fmt::Result {
    let rows = locks.iter().take(top).map(|row| {
        let named = row.name.as_ref().or(row.address.as_ref());
        let caller = row.caller.as_deref().map_or_else(dash, shown_text);
        let mut cells = vec![
            named.map_or_else(dash, |name| shown_text(name)),
            row.kind.words().to_owned(),
            caller,
        ];
        cells.extend(fewer(&row.waits, &result.total));
        cells
    });
    let head: Vec<&str> = ["lock", "kind", "asked for by"]
        .into_iter()
        .chain(FEWER)
        .collect();
    lay_out(page, "  ", &head, rows)?;
    left_over(page, locks.iter().map(|row| &row.waits), top, result)
}

/// Writes the table by CPU.
pub fn cpus(page: &mut String, result: &KernelResult, top: usize) -> std::fmt::Result {
    let rows = result.cpus.iter().take(top).map(|row| {
        let mut cells = vec![row.cpu.to_string()];
        cells.extend(figures(&row.waits, &result.total));
        cells
    });
    lay_out(page, "  ", &head("CPU"), rows)?;
    left_over(page, result.cpus.iter().map(|row| &row.waits), top, result)
}

fn head(first: &'static str) -> Vec<&'static str> {
    std::iter::once(first).chain(FIGURES).collect()
}

fn figures(waits: &KernelWaits, all: &KernelWaits) -> [String; 6] {
    let length = |ns: Option<f64>| ns.map_or_else(dash, duration);
    [
        count(waits.count),
        duration(waits.total_ns as f64),
        share(waits.total_ns, all.total_ns),
        length(waits.p50_ns),
        length(waits.p99_ns),
        length(waits.max_ns.map(|ns| ns as f64)),
    ]
}

fn fewer(waits: &KernelWaits, all: &KernelWaits) -> [String; 4] {
    let [count, total, share, _, _, longest] = figures(waits, all);
    [count, total, share, longest]
}

/// Describes the rows that did not fit.
fn left_over<'a>(
    page: &mut String,
    rows: impl Iterator<Item = &'a KernelWaits>,
    top: usize,
    result: &KernelResult,
) -> std::fmt::Result {
    let (mut number, mut waits, mut ns) = (0, 0, 0);
    for row in rows.skip(top) {
        number += 1;
        waits += row.count;
        ns += row.total_ns;
    }
    if number == 0 {
        return Ok(());
    }
    writeln!(
        page,
        "  {FAINT}{} more: {}, {}, {} of all (--top){FAINT:#}",
        count(number),
        counted(waits, "wait", "waits"),
        duration(ns as f64),
        share(ns, result.total.total_ns)
    )
}
