//! Where the threads' time went, in one glance.

use locktoll_terminal::fold;
use std::collections::HashSet;
use std::fmt::{self, Write};

use anstyle::Style;

use super::styles::{FAINT, IDLE, LOCKS, QUEUED, RUNNING, STRONG, in_style};
use crate::profile::spent::{Cause, Spent};
use crate::profile::words::cut_right;
use locktoll_results::profile::{Profile, Source};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::{count, counted, duration, share};

/// Characters of a bar that stands for all of the time.
const BAR: usize = 40;

/// What a running program's profile holds and what not.
const SEEN: &str =
    "waits that entered it, by lock and place; not acquisitions without a wait, spinning and holds";

/// The command with its elapsed, user and kernel time, and a bar for each way of spending a thread's time.
pub fn write(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    heading(page, profile, width)?;
    let Some(spent) = Spent::of(profile) else {
        return Ok(());
    };
    writeln!(page)?;
    writeln!(
        page,
        "{STRONG}Where the time of {} went{STRONG:#} ({} added up)",
        counted(profile.threads, "thread", "threads"),
        duration(spent.total_ns as f64),
    )?;
    for &(cause, ns) in &spent.causes {
        let time = ns.map_or_else(|| "-".to_owned(), |ns| duration(ns as f64));
        let part = ns.map_or_else(|| "-".to_owned(), |ns| share(ns, spent.total_ns));
        let room = width.saturating_sub(44).clamp(8, BAR);
        let bar = in_style(style(cause), &bar(ns.unwrap_or(0), spent.total_ns, room));
        let line = format!("  {:<20}  {part:>7}  {time:>7}  {bar}", cause.words());
        writeln!(page, "{}", line.trim_end())?;
    }
    if let Some(ns) = spent.at_locks_ns {
        let text = format!(
            "of {} at locks, spinning counts as running, queueing as waiting for a CPU",
            duration(ns as f64)
        );
        write!(page, "{FAINT}")?;
        fold::write(page, "  ", &text, width)?;
        write!(page, "{FAINT:#}")?;
    }
    if let Some(threads) = spent.unknown_threads {
        let text = format!(
            "not known: {} ended before the kernel could be asked; of these, only the waits are known",
            counted(threads, "thread", "threads")
        );
        write!(page, "{FAINT}")?;
        fold::write(page, "  ", &text, width)?;
        write!(page, "{FAINT:#}")?;
    }
    Ok(())
}

fn style(cause: Cause) -> Style {
    match cause {
        Cause::Running => RUNNING,
        Cause::Locks => LOCKS,
        Cause::Signals | Cause::Other | Cause::Unknown => IDLE,
        Cause::Cpu => QUEUED,
    }
}

fn heading(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    let command = shown_text(&profile.command.join(" "));
    let room = width.saturating_sub(2).min(100);
    writeln!(page, "{STRONG}{}{STRONG:#}", cut_right(&command, room))?;
    let time = |ns: Option<u64>| ns.map_or_else(|| "-".to_owned(), |ns| duration(ns as f64));
    write!(
        page,
        "{} elapsed, {} user, {} kernel",
        duration(profile.duration_ns as f64),
        time(profile.user_ns),
        time(profile.system_ns),
    )?;
    write!(page, "; {}", counted(profile.threads, "thread", "threads"))?;
    // A process has an entry for each program that it became.
    let processes: HashSet<u32> = profile.processes.iter().map(|it| it.pid).collect();
    if processes.len() > 1 {
        write!(page, " in {} processes", count(processes.len() as u64))?;
    }
    writeln!(page)?;
    if let (Some(voluntary), Some(involuntary)) =
        (profile.voluntary_switches, profile.involuntary_switches)
    {
        writeln!(
            page,
            "{FAINT}{}, {} of them involuntary{}{FAINT:#}",
            counted(
                voluntary.saturating_add(involuntary),
                "context switch",
                "context switches"
            ),
            count(involuntary),
            yields(profile),
        )?;
    }
    if profile.source == Source::Attach {
        let text = format!("{}: {SEEN}", "Seen from the kernel");
        write!(page, "{FAINT}")?;
        fold::write(page, "", &text, width)?;
        write!(page, "{FAINT:#}")?;
    }
    if profile.dropped.after_stop > 0 {
        let missing = counted(
            profile.dropped.after_stop,
            "acquisition is",
            "acquisitions are",
        );
        let text = format!(
            "Recording stopped before the program did: {missing} missing below; the notes say why"
        );
        write!(page, "{STRONG}")?;
        fold::write(page, "", &text, width)?;
        write!(page, "{STRONG:#}")?;
    }
    Ok(())
}

/// `part` of `whole`; anything at all is a character at least.
pub fn bar(part: u64, whole: u64, room: usize) -> String {
    if part == 0 || whole == 0 {
        return String::new();
    }
    let filled = (part as f64 / whole as f64 * room as f64).round() as usize;
    "#".repeat(filled.clamp(1, room))
}

/// The part of the involuntary switches that the program asked for.
fn yields(profile: &Profile) -> String {
    match (profile.yields, profile.source) {
        (None | Some(0), _) => String::new(),
        (Some(yields), Source::Attach) => format!(" ({} by sched_yield)", count(yields)),
        // Its calls are known, and not which of them switched.
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
        assert_eq!(bar(1, 1_000, 8), "#");
        assert_eq!(bar(5, 10, 8), "####");
        assert_eq!(bar(20, 10, 8), "########");
    }
}
