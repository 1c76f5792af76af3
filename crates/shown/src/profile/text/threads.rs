//! The threads, and the time of each by cause.

use std::fmt::{self, Write};

use super::locks::known;
use super::styles::{FAINT, STRONG};
use super::table::{Name, Table};
use crate::profile::spent::{Cause, Spent};
use crate::profile::words;
use locktoll_results::profile::{Profile, Thread, is_wrapper};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{count, counted, duration, share};

/// The fewest characters for names.
const NAME_ROOM: usize = 24;

/// The most characters of a thread's function next to the thread's name, which is more useful.
const FUNCTION: usize = 30;

/// Writes the first `top` threads, by the time they waited for locks.
pub fn write(page: &mut String, profile: &Profile, top: usize, width: usize) -> fmt::Result {
    let shown = &profile.per_thread[..profile.per_thread.len().min(top)];
    writeln!(page, "{STRONG}Threads by time waited for locks{STRONG:#}")?;
    let text = "Shares of each thread's life; other: input, output, sleep.";
    write!(page, "{FAINT}")?;
    fold::write(page, "", text, width)?;
    write!(page, "{FAINT:#}")?;
    let mut table = Table::new("thread", NAME_ROOM);
    let mut column = |head, rank, cell: &dyn Fn(&Thread) -> String| {
        table.column(head, rank, shown.iter().map(cell));
    };
    column("alive", 0, &|thread| duration(thread.duration_ns as f64));
    let part = |cause| {
        move |thread: &Thread| {
            let spent = Spent::of_thread(thread, &profile.locks);
            let ns = match spent {
                Some(spent) => spent.ns(cause),
                // Not everything is known: each figure is shown by itself.
                None => alone(thread, cause),
            };
            known(ns, |ns| {
                share(ns.min(thread.duration_ns), thread.duration_ns)
            })
        }
    };
    column("running", 0, &part(Cause::Running));
    if shown.iter().any(|thread| thread.spin_ns > Some(0)) {
        column("spinning", 0, &part(Cause::Spinning));
    }
    column("locks", 0, &part(Cause::Locks));
    column("events", 0, &part(Cause::Signals));
    if shown.iter().any(|thread| thread.futex_wait_ns.is_some()) {
        column("waiting", 0, &|thread| {
            known(thread.futex_wait_ns, |ns| {
                share(ns.min(thread.duration_ns), thread.duration_ns)
            })
        });
    }
    column("other", 3, &part(Cause::Other));
    column("CPU queue", 0, &part(Cause::Cpu));
    column("voluntary", 2, &|thread| {
        known(thread.voluntary_switches, count)
    });
    column("involuntary", 1, &|thread| {
        known(thread.involuntary_switches, count)
    });
    if shown.iter().any(|thread| thread.yields > Some(0)) {
        column("yields", 1, &|thread| known(thread.yields, count));
    }
    let processes = profile.processes.len() > 1;
    table.names(shown.iter().map(|thread| name(thread, processes)));
    table.write(page, width, 0)?;
    let hidden = profile.per_thread.len() - shown.len();
    if hidden > 0 {
        let more = counted(hidden as u64, "more thread", "more threads");
        let all = profile.per_thread.len();
        writeln!(page, "{FAINT}... and {more} (--top {all}){FAINT:#}")?;
    }
    Ok(())
}

fn alone(thread: &Thread, cause: Cause) -> Option<u64> {
    match cause {
        Cause::Running => thread.cpu_ns,
        Cause::Locks => thread.lock_wait_ns,
        Cause::Signals => thread.signal_wait_ns,
        Cause::Cpu => thread.cpu_wait_ns,
        Cause::Spinning => thread.spin_ns,
        Cause::Other | Cause::Unknown => None,
    }
}

fn name(thread: &Thread, processes: bool) -> Name {
    let mut text = match thread.name.as_str() {
        "" => "(no name)".to_owned(),
        name => shown_text(name),
    };
    // The standard libraries start every thread with the same function, which says nothing.
    let started_with = thread.started_with.as_ref();
    if let Some(function) = started_with.filter(|it| it.function.is_some() && !is_wrapper(it)) {
        let function = words::fit_place(&words::function(function), FUNCTION);
        let _ = write!(text, ": {function}");
    }
    let remark = match processes {
        true => format!(" ({}/{})", thread.pid, thread.tid),
        false => format!(" ({})", thread.tid),
    };
    Name { text, remark }
}
