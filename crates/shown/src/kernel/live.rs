//! One interval of the live view.

use std::fmt::Write;

use super::tables;
use crate::profile::text::styles::STRONG;
use crate::table::lay_out;
use locktoll_results::kernel::KernelResult;
use locktoll_terminal::quantity::{count, duration, share};

/// The number of callers and of locks for an interval: the live view is short.
const ROWS: usize = 5;

/// Returns the text for one interval; `number` counts intervals from one.
pub fn kernel_interval_text(result: &KernelResult, number: u64, width: usize) -> String {
    let mut page = String::new();
    render(&mut page, result, number, width).expect("writing to a string does not fail");
    page
}

fn render(page: &mut String, result: &KernelResult, number: u64, width: usize) -> std::fmt::Result {
    let seconds = result.duration_ns.max(1) as f64 / 1e9;
    let rate = |number: u64| count((number as f64 / seconds).round() as u64);
    writeln!(
        page,
        "{STRONG}interval {number}, {}: {} waits/s{STRONG:#}{}",
        duration(result.duration_ns as f64),
        rate(result.total.count),
        result
            .noise
            .steal_share
            .map_or_else(String::new, |steal| format!(
                "; steal {:.1} %",
                steal * 100.0
            ))
    )?;
    if result.total.count == 0 {
        return writeln!(page);
    }
    let rows = result.kinds.iter().map(|row| {
        vec![
            row.kind.words().to_owned(),
            rate(row.waits.count),
            duration(row.waits.total_ns as f64 / seconds),
            share(row.waits.total_ns, result.total.total_ns),
            row.waits.p50_ns.map_or_else(String::new, duration),
            row.waits.p99_ns.map_or_else(String::new, duration),
        ]
    });
    let head = ["kind", "waits/s", "waiting/s", "of all", "median", "p99"];
    lay_out(page, "  ", &head, rows)?;
    if let Some(callers) = &result.callers {
        tables::callers(page, result, callers, ROWS, width)?;
    }
    if let Some(locks) = &result.locks {
        tables::locks(page, result, locks, ROWS)?;
    }
    writeln!(page)
}
