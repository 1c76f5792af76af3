//! The answer, and where the threads' time went.

use locktoll_terminal::fold;
use std::collections::HashSet;
use std::fmt::{self, Write};

use anstyle::Style;

use super::styles::{FAINT, IDLE, LOCKS, QUEUED, RUNNING, STRONG, in_style};
use crate::profile::spent::{Cause, Spent};
use crate::profile::{Selection, answer};
use locktoll_results::profile::{Profile, Source};
use locktoll_terminal::quantity::{count, counted, duration, share};

/// The length of a bar that shows all of the time, in characters.
const BAR: usize = 40;

/// Writes the answer, and a bar for each way of spending a thread's time, with elapsed, user and kernel time.
pub fn write(page: &mut String, selection: &Selection<'_>, width: usize) -> fmt::Result {
    let profile = selection.profile;
    strong(page, &answer(selection), width)?;
    stopped(page, profile, width)?;
    let Some(spent) = Spent::of(profile) else {
        return usage(page, profile, width);
    };
    writeln!(page)?;
    let heading = format!(
        "Where the time of {} went ({} in all)",
        threads(profile),
        duration(spent.total_ns as f64),
    );
    strong(page, &heading, width)?;
    let mut unmeasured: Vec<&str> = Vec::new();
    for &(cause, ns) in &spent.causes {
        let Some(ns) = ns else {
            unmeasured.push(cause.words());
            continue;
        };
        let (time, part) = (duration(ns as f64), share(ns, spent.total_ns));
        let room = width.saturating_sub(44).min(BAR);
        let bar = in_style(style(cause), &bar(ns, spent.total_ns, room));
        let line = format!("  {:<20}  {part:>7}  {time:>7}  {bar}", cause.words());
        writeln!(page, "{}", line.trim_end())?;
    }
    if !unmeasured.is_empty() {
        let text = format!("not measured: {}", unmeasured.join("; "));
        faint(page, "  ", &text, width)?;
    }
    if let Some(threads) = spent.unknown_threads {
        let text = format!(
            "not known: {} ended before locktoll could ask the kernel about them; only their waits are known",
            counted(threads, "thread", "threads")
        );
        faint(page, "  ", &text, width)?;
    }
    if let Some(processes) = added_up(profile) {
        let text = format!(
            "not in these times: the threads of {processes} added up after their end; the figures of locks contain their waits"
        );
        faint(page, "  ", &text, width)?;
    }
    usage(page, profile, width)
}

fn strong(page: &mut String, text: &str, width: usize) -> fmt::Result {
    write!(page, "{STRONG}")?;
    fold::write(page, "", text, width)?;
    write!(page, "{STRONG:#}")
}

fn faint(page: &mut String, lead: &str, text: &str, width: usize) -> fmt::Result {
    write!(page, "{FAINT}")?;
    fold::write(page, lead, text, width)?;
    write!(page, "{FAINT:#}")
}

fn style(cause: Cause) -> Style {
    match cause {
        Cause::Running => RUNNING,
        Cause::Locks | Cause::Spinning => LOCKS,
        Cause::Signals | Cause::Other | Cause::Unknown => IDLE,
        Cause::Cpu => QUEUED,
    }
}

/// Says how many threads are listed, and in how many processes if there are several.
fn threads(profile: &Profile) -> String {
    let threads = counted(profile.threads, "thread", "threads");
    // No thread of a sum is listed. A process has an entry for each program that it executed.
    let each = profile.processes.iter().filter(|it| it.added_up.is_none());
    let processes: HashSet<u32> = each.map(|it| it.pid).collect();
    match processes.len() {
        0 | 1 => threads,
        many => format!("{threads} in {} processes", count(many as u64)),
    }
}

/// Says how many processes are added up, as far as that is known: one that became another program is in several sums.
fn added_up(profile: &Profile) -> Option<String> {
    let sums: Vec<u64> = profile
        .processes
        .iter()
        .filter_map(|it| it.added_up)
        .collect();
    let all = sums.iter().copied().reduce(u64::saturating_add)?;
    let processes = counted(all, "process that was", "processes that were");
    Some(match sums.len() {
        1 => processes,
        _ => format!("up to {processes}"),
    })
}

/// Writes elapsed and CPU time, and context switches; unknown figures are left out.
fn usage(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    let mut text = format!("{} elapsed", duration(profile.duration_ns as f64));
    for (ns, mode) in [(profile.user_ns, "user"), (profile.system_ns, "kernel")] {
        if let Some(ns) = ns {
            let _ = write!(text, ", {} {mode}", duration(ns as f64));
        }
    }
    if let (Some(voluntary), Some(involuntary)) =
        (profile.voluntary_switches, profile.involuntary_switches)
    {
        let switches = voluntary.saturating_add(involuntary);
        let _ = write!(
            text,
            "; {}, {} of them involuntary{}",
            counted(switches, "context switch", "context switches"),
            count(involuntary),
            yields(profile),
        );
    }
    if let (Some(user_ns), Some(system_ns)) = (profile.user_ns, profile.system_ns)
        && profile.source == Source::Record
        && profile.thread_time_ns > 0
        && user_ns.saturating_add(system_ns) > profile.thread_time_ns
    {
        text.push_str("; the CPU time includes the program's start, before recording begins");
    }
    let lead = match profile.source {
        Source::Record => "Run: ",
        Source::Attach => "Watched: ",
    };
    faint(page, lead, &text, width)
}

/// Reports that recording stopped before the program did.
fn stopped(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    if profile.dropped.after_stop == 0 {
        return Ok(());
    }
    let missing = counted(
        profile.dropped.after_stop,
        "acquisition is",
        "acquisitions are",
    );
    let text = format!(
        "Recording stopped before the program did: {missing} missing below; the notes say why"
    );
    strong(page, &text, width)
}

/// Draws `part` of `whole`; any nonzero part gets at least one character.
pub fn bar(part: u64, whole: u64, room: usize) -> String {
    if part == 0 || whole == 0 || room == 0 {
        return String::new();
    }
    let filled = (part as f64 / whole as f64 * room as f64).round() as usize;
    "#".repeat(filled.clamp(1, room))
}

/// Says how many of the involuntary switches the program asked for.
fn yields(profile: &Profile) -> String {
    match (profile.yields, profile.source) {
        (None | Some(0), _) => String::new(),
        (Some(yields), Source::Attach) => format!(" ({} by sched_yield)", count(yields)),
        // The number of its calls is known, but not which of them switched.
        (Some(yields), Source::Record) => format!(" (up to {} by sched_yield)", count(yields)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_their_room_and_no_more() {
        assert_eq!(bar(0, 10, 8), "");
        assert_eq!(bar(5, 0, 8), "");
        assert_eq!(bar(5, 10, 0), "");
        assert_eq!(bar(1, 1_000, 8), "#");
        assert_eq!(bar(5, 10, 8), "####");
        assert_eq!(bar(20, 10, 8), "########");
    }
}
