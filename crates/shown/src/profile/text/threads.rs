//! The threads, and where the time of each went.

use std::fmt::{self, Write};

use super::locks::known;
use super::styles::{FAINT, STRONG};
use super::table::{Name, Table};
use crate::profile::words;
use locktoll_results::profile::{Profile, Thread, is_wrapper};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{count, counted, duration, share};

/// Characters that names have at least.
const NAME_ROOM: usize = 24;

/// Characters that the function of a thread has at most beside the thread's name, which tells more.
const FUNCTION: usize = 30;

/// The first `top` threads, by the time they waited for locks.
pub fn write(page: &mut String, profile: &Profile, top: usize, width: usize) -> fmt::Result {
    let shown = &profile.per_thread[..profile.per_thread.len().min(top)];
    writeln!(
        page,
        "{STRONG}Threads by time waited for locks{STRONG:#} {FAINT}(shares of each thread's life){FAINT:#}"
    )?;
    write!(page, "{FAINT}")?;
    let overlap = "A wait's spinning is running, too, and its time in the CPU queue is there, too: shares can add up to more than 100 %";
    fold::write(page, "", overlap, width)?;
    write!(page, "{FAINT:#}")?;
    let mut table = Table::new("thread", NAME_ROOM);
    let mut column = |head, rank, cell: &dyn Fn(&Thread) -> String| {
        table.column(head, rank, shown.iter().map(cell));
    };
    let part = |thread: &Thread, ns: Option<u64>| known(ns, |ns| share(ns, thread.duration_ns));
    column("alive", 0, &|thread| duration(thread.duration_ns as f64));
    column("running", 0, &|thread| part(thread, thread.cpu_ns));
    column("locks", 0, &|thread| part(thread, thread.lock_wait_ns));
    column("signals", 0, &|thread| part(thread, thread.signal_wait_ns));
    if shown.iter().any(|thread| thread.futex_wait_ns.is_some()) {
        column("waiting", 0, &|thread| part(thread, thread.futex_wait_ns));
    }
    column("CPU queue", 0, &|thread| part(thread, thread.cpu_wait_ns));
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

fn name(thread: &Thread, processes: bool) -> Name {
    let mut text = match thread.name.as_str() {
        "" => "(no name)".to_owned(),
        name => shown_text(name),
    };
    // The standard libraries start every thread with the same function, which tells nothing.
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
