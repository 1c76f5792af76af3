//! Preempted holders: where they had acquired the lock, how long they did not run, and which threads waited in that time.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use super::histogram;
use super::styles::FAINT;
use super::table::{Name, Table};
use crate::profile::{preempted, words};
use locktoll_results::profile::Lock;
use locktoll_terminal::quantity::{count, counted, duration};

/// The fewest characters for places.
const PLACE_ROOM: usize = 30;

/// Writes everything that is known about a lock's preempted holders, with the first `limit` places and waiters.
pub fn write(page: &mut String, lock: &Lock, limit: Option<usize>, width: usize) -> fmt::Result {
    let Some(preemption) = &lock.preemption else {
        return writeln!(
            page,
            "  {FAINT}it is not known whether its holders were preempted{FAINT:#}"
        );
    };
    let text = preempted::of_lock(preemption);
    let text =
        text.unwrap_or_else(|| "no holder seems to have been preempted (an estimate)".to_owned());
    fold::write(page, "  ", &text, width)?;
    tables(page, lock, limit, width)?;
    match preemption.log2.as_deref() {
        Some(log2) if !log2.is_empty() => histogram::times(page, log2, width),
        _ => Ok(()),
    }
}

/// Writes the places, then the waiters.
pub fn tables(page: &mut String, lock: &Lock, limit: Option<usize>, width: usize) -> fmt::Result {
    let Some(preemption) = &lock.preemption else {
        return Ok(());
    };
    let limit = limit.unwrap_or(usize::MAX);
    let time = |ns: u64| duration(ns as f64);
    let sites = &preemption.sites[..preemption.sites.len().min(limit)];
    if !sites.is_empty() {
        let mut table = Table::new("preempted holders acquired it in", PLACE_ROOM);
        table.column("time", 0, sites.iter().map(|it| time(it.total_ns)));
        table.column("max", 1, sites.iter().map(|it| time(it.max_ns)));
        table.column("times", 0, sites.iter().map(|it| count(it.count)));
        table.names(sites.iter().map(|it| Name {
            text: words::site(&it.frames),
            remark: String::new(),
        }));
        table.write(page, width, 2)?;
    }
    let waiters = &preemption.waiters[..preemption.waiters.len().min(limit)];
    if !waiters.is_empty() {
        let mut table = Table::new("threads that waited during that time", PLACE_ROOM);
        table.column("time", 0, waiters.iter().map(|it| time(it.wait_ns)));
        table.column("max", 1, waiters.iter().map(|it| time(it.max_ns)));
        table.column("seen", 2, waiters.iter().map(|it| count(it.count)));
        table.names(waiters.iter().map(|it| Name {
            text: words::site(&it.frames),
            remark: format!(" thread {}", it.tid),
        }));
        table.write(page, width, 2)?;
    }
    let hidden =
        (preemption.sites.len() - sites.len()) + (preemption.waiters.len() - waiters.len());
    if hidden > 0 {
        let more = counted(hidden as u64, "more row", "more rows");
        writeln!(
            page,
            "  {FAINT}... and {more} (--lock ID --preemption){FAINT:#}"
        )?;
    }
    Ok(())
}
