//! The locks, ordered by cost.

use std::fmt::{self, Write};

use super::styles::{FAINT, STRONG};
use super::table::{Name, Table};
use crate::SortKey;
use crate::profile::{Selection, words};
use locktoll_results::profile::{Lock, LockKind};
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{count, counted, duration, share};

/// The fewest characters for names.
const NAME_ROOM: usize = 26;

/// Writes the first `top` of the locks; `locks` is in the wanted order.
pub fn write(
    page: &mut String,
    selection: &Selection<'_>,
    locks: &[&Lock],
    top: usize,
    width: usize,
) -> fmt::Result {
    let shown = &locks[..locks.len().min(top)];
    let by = match selection.sort {
        SortKey::Wait => "time waited for them",
        SortKey::Contended => "contended acquisitions",
        SortKey::Acquisitions => "acquisitions",
        SortKey::Hold => "time held",
    };
    writeln!(page, "{STRONG}Locks by {by}{STRONG:#}")?;
    let mut table = Table::new("lock", NAME_ROOM);
    let mut column = |head, rank, cell: &dyn Fn(&Lock) -> String| {
        table.column(head, rank, shown.iter().map(|lock| cell(lock)));
    };
    column("wait", 0, &|lock| duration(lock.wait_ns.total as f64));
    column("share", 0, &|lock| {
        share(lock.waited_ns(), selection.profile.thread_time_ns)
    });
    if shown.iter().any(|lock| lock.still_waiting > 0) {
        column("not ended", 0, &|lock| match lock.still_waiting {
            0 => "-".to_owned(),
            _ => duration(lock.still_waiting_ns as f64),
        });
    }
    column("contended", 0, &|lock| count(lock.contended));
    column("acquired", 0, &|lock| known(lock.acquisitions, count));
    column("cont. %", 4, &|lock| {
        known(lock.acquisitions, |all| share(lock.contended, all))
    });
    column("p50", 5, &|lock| known(lock.wait_ns.p50, duration));
    column("p99", 2, &|lock| known(lock.wait_ns.p99, duration));
    column("max", 3, &|lock| {
        known(lock.wait_ns.max, |ns| duration(ns as f64))
    });
    column("held", 1, &|lock| {
        let held = lock.hold_ns.as_ref().map(|hold| hold.total as f64);
        let mark = if lock.recorder_dominates { "*" } else { "" };
        known(held, |ns| format!("{}{mark}", duration(ns)))
    });
    table.names(shown.iter().map(|lock| name(selection, lock)));
    table.write(page, width, 0)?;

    let hidden = locks.len() - shown.len();
    if hidden > 0 {
        let more = counted(hidden as u64, "more lock", "more locks");
        let rest = locks[shown.len()..]
            .iter()
            .fold(0, |sum: u64, lock| sum.saturating_add(lock.waited_ns()));
        let waited = match rest {
            0 => "never waited for".to_owned(),
            ns => format!("waited for {}", duration(ns as f64)),
        };
        let all = locks.len();
        writeln!(
            page,
            "{FAINT}... and {more}, {waited} (--top {all}){FAINT:#}"
        )?;
    }
    let marked = |lock: &&&Lock| lock.recorder_dominates && lock.hold_ns.is_some();
    if shown.iter().any(|lock| marked(&lock)) {
        let text = "* held for less time than recording takes: trust the count, not the duration";
        write!(page, "{FAINT}")?;
        fold::write(page, "", text, width)?;
        write!(page, "{FAINT:#}")?;
    }
    Ok(())
}

/// Describes a lock by its name, its kind if it is not a mutex, and the number of locks that it represents.
fn name(selection: &Selection<'_>, lock: &Lock) -> Name {
    let remark = match (lock.instances, lock.kind) {
        (..=1, LockKind::Mutex) => String::new(),
        (..=1, kind) => format!(" ({})", words::kind(kind)),
        (many, kind) => format!(" ({} {})", count(many), words::several(kind)),
    };
    Name {
        text: selection.names.name(lock),
        remark,
    }
}

/// Formats a figure, or a dash if it was not measured.
pub fn known<T>(figure: Option<T>, show: impl Fn(T) -> String) -> String {
    figure.map_or_else(|| "-".to_owned(), show)
}
