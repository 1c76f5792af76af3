//! Waits for events: one thread waits until another notifies it. They are never mixed with contention.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use super::locks::known;
use super::styles::{FAINT, STRONG};
use super::table::{Name, Table};
use crate::profile::names::Names;
use crate::profile::words;
use locktoll_results::profile::{Lock, LockKind, SignalWaits};
use locktoll_terminal::quantity::{count, counted, duration};

/// The fewest characters for names.
const NAME_ROOM: usize = 26;

/// Writes the first `top` of the objects that are used as signals, by the time waited.
pub fn write(
    page: &mut String,
    names: &Names<'_>,
    locks: &[&Lock],
    top: usize,
    width: usize,
) -> fmt::Result {
    let mut all: Vec<(&Lock, &SignalWaits)> = locks
        .iter()
        .filter_map(|lock| Some((*lock, lock.signal.as_ref()?)))
        // No thread has waited for it, whether it was signalled or not.
        .filter(|(_, signal)| {
            signal.waits.unwrap_or(signal.blocked) > 0 || signal.wait_ns.total > 0
        })
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    writeln!(page)?;
    all.sort_by_key(|(_, signal)| std::cmp::Reverse(signal.wait_ns.total));
    let shown = &all[..all.len().min(top)];
    let relocks = shown
        .iter()
        .any(|(_, signal)| signal.relock_ns.is_some_and(|ns| ns > 0));
    writeln!(page, "{STRONG}Waits for events{STRONG:#}")?;
    let text = "Condition variables, joins, barriers and the like: threads that have nothing to do, which is not contention.";
    write!(page, "{FAINT}")?;
    fold::write(page, "", text, width)?;
    write!(page, "{FAINT:#}")?;
    let mut table = Table::new("waited for", NAME_ROOM);
    let mut column = |head, rank, cell: &dyn Fn(&Lock, &SignalWaits) -> String| {
        let cells = shown.iter().map(|(lock, signal)| cell(lock, signal));
        table.column(head, rank, cells);
    };
    column("wait", 0, &|_, signal| {
        duration(signal.wait_ns.total as f64)
    });
    column("calls", 0, &|_, signal| known(signal.waits, count));
    column("blocked", 1, &|_, signal| count(signal.blocked));
    column("p50", 4, &|_, signal| known(signal.wait_ns.p50, duration));
    column("p99", 3, &|_, signal| known(signal.wait_ns.p99, duration));
    // Only a condition variable has a mutex that is acquired again.
    column("re-lock", 2, &|lock, signal| {
        let relock_ns = signal.relock_ns.filter(|_| lock.kind == LockKind::Condvar);
        known(relock_ns, |ns| duration(ns as f64))
    });
    // Nobody signals a barrier: the last thread to arrive opens it.
    let unless_barrier =
        |lock: &Lock, number: Option<u64>| number.filter(|_| lock.kind != LockKind::Barrier);
    column("signals", 1, &|lock, signal| {
        known(unless_barrier(lock, all_calls(signal)), count)
    });
    column("to all", 5, &|lock, signal| {
        known(unless_barrier(lock, signal.broadcasts), count)
    });
    table.names(shown.iter().map(|(lock, _)| Name {
        text: names.name(lock),
        remark: match lock.instances {
            ..=1 => format!(" ({})", words::kind(lock.kind)),
            many => format!(" ({} {})", count(many), words::several(lock.kind)),
        },
    }));
    table.write(page, width, 0)?;
    if relocks {
        let text = "re-lock: waking up and acquiring the mutex again. It is part of the wait; contention in it counts again under the mutex.";
        write!(page, "{FAINT}")?;
        fold::write(page, "", text, width)?;
        write!(page, "{FAINT:#}")?;
    }
    let hidden = all.len() - shown.len();
    if hidden > 0 {
        let more = counted(hidden as u64, "more", "more");
        writeln!(page, "{FAINT}... and {more} (--top {}){FAINT:#}", all.len())?;
    }
    Ok(())
}

/// Returns the number of calls that wake threads.
fn all_calls(signal: &SignalWaits) -> Option<u64> {
    Some(signal.signals?.saturating_add(signal.broadcasts?))
}
