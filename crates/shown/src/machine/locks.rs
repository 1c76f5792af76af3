//! The price of every lock, the cheapest first, in as many columns as fit.

use std::fmt::Write;

use locktoll_lab::probe::LockPrice;

use super::page::heading;
use crate::table::dash;
use locktoll_terminal::fold::folded;
use locktoll_terminal::quantity::{counted, price};

/// The width with room for all columns.
const WIDTH: usize = 98;
/// The width of a price, in characters.
const PRICE: usize = 7;
/// The gap between two columns.
const GAP: usize = 4;

/// Writes the locks, and below them the reasons for missing figures.
pub fn table(page: &mut String, locks: &[LockPrice], width: usize) -> std::fmt::Result {
    if locks.is_empty() {
        return Ok(());
    }
    heading(
        page,
        "Every lock, acquired and released by one thread",
        "time per pair; #: system calls per pair",
    )?;
    let mut sorted: Vec<&LockPrice> = locks.iter().collect();
    let cost = |lock: &LockPrice| lock.uncontended_ns.map_or(f64::INFINITY, |ns| ns.median);
    sorted.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    let name = locks.iter().map(|lock| lock.name.len()).max().unwrap_or(0);
    let calls = |lock: &LockPrice| {
        lock.kernel_entries_per_op
            .map_or_else(dash, |n| n.to_string())
    };
    let wide = locks
        .iter()
        .map(|lock| calls(lock).len())
        .max()
        .unwrap_or(1);
    let column = name + 1 + PRICE + 1 + wide;
    let columns = ((width.min(WIDTH) + GAP - 2) / (column + GAP)).max(1);
    let lines = sorted.len().div_ceil(columns);
    let gap = " ".repeat(GAP);
    let shown = columns.min(sorted.len());
    let head = format!("{:name$} {:>PRICE$} {:>wide$}", "lock", "pair", "#");
    writeln!(page, "  {}", vec![head; shown].join(&gap))?;
    for line in 0..lines {
        let cells = sorted.iter().skip(line).step_by(lines).map(|lock| {
            let pair = lock.uncontended_ns.map_or_else(dash, |ns| price(ns.median));
            let calls = calls(lock);
            format!("{:name$} {pair:>PRICE$} {calls:>wide$}", lock.name)
        });
        writeln!(page, "  {}", cells.collect::<Vec<_>>().join(&gap))?;
    }
    for (reason, names) in reasons(locks) {
        let whose = match names.len() {
            few @ 1..=3 => names[..few].join(", "),
            many => counted(many as u64, "lock", "locks"),
        };
        folded(page, "  ", &format!("{whose}: {reason}"), width)?;
    }
    writeln!(page)
}

/// Returns each reason once, with the locks that it applies to.
fn reasons(locks: &[LockPrice]) -> Vec<(&str, Vec<&str>)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for lock in locks {
        let Some(reason) = lock.refused.as_deref() else {
            continue;
        };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(&lock.name),
            None => reasons.push((reason, vec![&lock.name])),
        }
    }
    reasons
}
