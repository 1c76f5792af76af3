//! Where the threads' time went, in one glance.

use std::collections::HashSet;
use std::fmt::{self, Write};

use anstyle::Style;

use super::fold;
use super::styles::{FAINT, IDLE, LOCKS, QUEUED, RUNNING, STRONG, in_style};
use crate::profile::{Profile, Use, shown_text};
use crate::report::profile::words::cut_right;
use crate::report::quantity::{count, counted, duration, share};

/// Characters of a bar that stands for all of the time.
const BAR: usize = 40;

/// Where less than this part of the waits for locks is missing from their bar, nobody asks for it.
const NOTICED: u64 = 16;
/// As little of all time cannot be seen in any bar.
const VISIBLE: u64 = 1_000;

/// The command with its elapsed, user and kernel time, and a bar for each way of spending a thread's time.
pub fn write(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    heading(page, profile, width)?;
    if profile.thread_time_ns == 0 && profile.time.total_ns == 0 {
        return Ok(());
    }
    writeln!(page)?;
    let time = &profile.time;
    let known = time.threads > 0;
    // Where the kernel was never asked, the recorder still knows what it timed itself.
    let unknown = profile.threads.saturating_sub(time.threads);
    let rest = Unasked::of(profile, known && unknown > 0);
    let total_ns = match known {
        true => time.total_ns.saturating_add(rest.total_ns),
        false => profile.thread_time_ns,
    };
    writeln!(
        page,
        "{STRONG}Where the time of {} went{STRONG:#} ({} added up)",
        counted(profile.threads, "thread", "threads"),
        duration(total_ns as f64),
    )?;

    let of_kernel = |ns: u64| known.then_some(ns);
    let (lock_ns, signal_ns) = match known {
        true => (
            time.lock_ns.saturating_add(rest.lock_ns),
            time.signal_ns.saturating_add(rest.signal_ns),
        ),
        false => (
            profile
                .wait_ns
                .saturating_add(profile.still_waiting(Use::Lock).1),
            profile
                .signal_wait_ns
                .saturating_add(profile.still_waiting(Use::Signal).1),
        ),
    };
    let ways: [(&str, Option<u64>, Style); 6] = [
        ("running", of_kernel(time.running_ns), RUNNING),
        ("waiting for locks", Some(lock_ns), LOCKS),
        ("waiting for signals", Some(signal_ns), IDLE),
        ("input, output, sleep", of_kernel(time.other_ns), IDLE),
        ("waiting for a CPU", of_kernel(time.cpu_wait_ns), QUEUED),
        (
            "not known",
            (rest.other_ns() > 0).then(|| rest.other_ns()),
            IDLE,
        ),
    ];
    let shown = if rest.other_ns() > 0 { 6 } else { 5 };
    for &(what, ns, style) in &ways[..shown] {
        let spent = ns.map_or_else(|| "-".to_owned(), |ns| duration(ns as f64));
        let part = ns.map_or_else(|| "-".to_owned(), |ns| share(ns, total_ns));
        let room = width.saturating_sub(44).clamp(8, BAR);
        let bar = in_style(style, &bar(ns.unwrap_or(0), total_ns, room));
        let line = format!("  {what:<20}  {part:>7}  {spent:>7}  {bar}");
        writeln!(page, "{}", line.trim_end())?;
    }
    let waited_ns = profile
        .wait_ns
        .saturating_add(profile.still_waiting(Use::Lock).1);
    let elsewhere_ns = waited_ns.saturating_sub(lock_ns);
    if elsewhere_ns > waited_ns / NOTICED && elsewhere_ns > total_ns / VISIBLE {
        let text = format!(
            "of {} at locks, spinning counts as running, queueing as waiting for a CPU",
            duration(waited_ns as f64)
        );
        write!(page, "{FAINT}")?;
        fold::write(page, "  ", &text, width)?;
        write!(page, "{FAINT:#}")?;
    }
    if rest.other_ns() > 0 {
        let text = format!(
            "not known: {} ended before the kernel could be asked; of these, only the waits are known",
            counted(unknown, "thread", "threads")
        );
        write!(page, "{FAINT}")?;
        fold::write(page, "  ", &text, width)?;
        write!(page, "{FAINT:#}")?;
    }
    Ok(())
}

/// Threads that ended before the kernel was asked where their time went: the recorder knows what it timed itself.
#[derive(Default)]
struct Unasked {
    total_ns: u64,
    lock_ns: u64,
    signal_ns: u64,
}

impl Unasked {
    fn of(profile: &Profile, some: bool) -> Self {
        let mut all = Self::default();
        let threads = profile.per_thread.iter();
        for thread in threads
            .filter(|it| it.cpu_ns.is_none() || it.cpu_wait_ns.is_none())
            .filter(|_| some)
        {
            let lock_ns = thread.lock_wait_ns.min(thread.duration_ns);
            let signal_ns = thread.signal_wait_ns.min(thread.duration_ns - lock_ns);
            for (sum, more) in [
                (&mut all.total_ns, thread.duration_ns),
                (&mut all.lock_ns, lock_ns),
                (&mut all.signal_ns, signal_ns),
            ] {
                *sum = sum.saturating_add(more);
            }
        }
        all
    }

    fn other_ns(&self) -> u64 {
        let waited_ns = self.lock_ns.saturating_add(self.signal_ns);
        self.total_ns.saturating_sub(waited_ns)
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
            "{FAINT}{}, {} of them involuntary{FAINT:#}",
            counted(
                voluntary.saturating_add(involuntary),
                "context switch",
                "context switches"
            ),
            count(involuntary),
        )?;
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
