//! One lock in full.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use super::locks::known;
use super::preempted::tables as preempted_tables;
use super::styles::{FAINT, STRONG};
use super::table::{Name, Table};
use super::{blame, histogram, places, stacks, unended, woken};
use crate::profile::{Selection, preempted, words};
use locktoll_results::profile::{HoldTimes, Lock, Profile, SignalWaits, Source, Use, WaitTimes};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::{count, counted, duration, share};

/// The number of places and pairs shown; their own tables show all of them.
const ROWS: usize = 20;
/// The number of stacks shown.
const STACKS: usize = 5;

/// Writes everything that is known about a lock.
pub fn write(
    page: &mut String,
    selection: &Selection<'_>,
    lock: &Lock,
    width: usize,
) -> fmt::Result {
    let profile = selection.profile;
    writeln!(page, "{STRONG}{}{STRONG:#}", selection.names.name(lock))?;
    writeln!(page, "{}", identity(lock))?;
    writeln!(page, "{FAINT}id {}{FAINT:#}", shown_text(&lock.id))?;
    writeln!(page)?;
    match &lock.signal {
        Some(signal) => waits_for_signal(page, lock, signal, width)?,
        None => contention(page, profile, lock, width)?,
    }
    let waits = lock.signal.as_ref().map_or(&lock.wait_ns, |it| &it.wait_ns);
    if let Some(calls) = &lock.futex {
        line(page, "calls", &woken::calls(calls), width)?;
    }
    let holds = lock.hold_ns.as_ref().map(|hold| hold.log2.as_slice());
    if !waits.log2.is_empty() || holds.is_some_and(|holds| !holds.is_empty()) {
        section(page, "By length")?;
        histogram::write(page, &waits.log2, holds, width)?;
    }
    if lock.still_waiting > 1 {
        section(page, "Still waiting at the end")?;
        unended::table(page, lock, ROWS, width)?;
    }
    if !lock.blame.is_empty() {
        section(page, "Who waited for whom")?;
        blame::pairs(page, lock, Some(ROWS), width)?;
    }
    if !lock.woken_by.is_empty() {
        section(page, "Who woke whom")?;
        woken::pairs(page, lock, Some(ROWS), width)?;
    }
    if let Some(preemption) = &lock.preemption
        && !(preemption.sites.is_empty() && preemption.waiters.is_empty())
    {
        section(page, "Preempted holders")?;
        preempted_tables(page, lock, Some(ROWS), width)?;
    }
    if !lock.sites.is_empty() {
        section(
            page,
            match lock.used_as {
                Use::Lock => "Where it is acquired",
                Use::Signal => "Where it is waited for",
            },
        )?;
        places::write(page, lock, Some(ROWS), width)?;
    }
    if !lock.stacks.is_empty() {
        section(page, "Stacks that waited")?;
        stacks::write(page, lock, Some(STACKS), width)?;
    }
    if !lock.birth.is_empty() {
        section(
            page,
            match lock.initialised {
                true => "Initialised by",
                false => "First taken by",
            },
        )?;
        stacks::frames(page, &lock.birth, 2, width)?;
    }
    if lock.instances > 1 && !lock.members.is_empty() {
        members(page, profile, lock, width)?;
    }
    Ok(())
}

fn section(page: &mut String, heading: &str) -> fmt::Result {
    writeln!(page, "\n{STRONG}{heading}{STRONG:#}")
}

/// Describes what it is, in one line.
fn identity(lock: &Lock) -> String {
    let mut text = words::kind(lock.kind).to_owned();
    if lock.used_as == Use::Signal {
        text.push_str(", used for events");
    }
    if lock.instances > 1 {
        let many = words::several(lock.kind);
        let _ = write!(text, ", {} {many} from one place", count(lock.instances));
    }
    text
}

/// Writes lines of `what  figures`.
fn line(page: &mut String, what: &str, text: &str, width: usize) -> fmt::Result {
    fold::write(page, &format!("  {what:<10}"), text, width)
}

/// Says how many threads acquired the lock, and how often it may have passed from one to another. For several locks together,
/// the latter is left out.
fn takers(lock: &Lock) -> Option<String> {
    let (takers, all) = (lock.takers?, lock.acquisitions?);
    let threads = counted(takers.threads, "thread", "threads");
    if lock.instances > 1 || takers.threads < 2 {
        return Some(threads);
    }
    let changes = takers.changes_at_most(all);
    Some(format!(
        "{threads}, the most active {}; at most {} of the acquisitions came after another thread's, which may move its \
         memory to another CPU, whether or not anybody waits",
        share(takers.most, all),
        share(changes, all)
    ))
}

fn contention(page: &mut String, profile: &Profile, lock: &Lock, width: usize) -> fmt::Result {
    let mut acquired = match lock.acquisitions {
        None => format!(
            "{} contended (the others are not seen)",
            counted(lock.contended, "time", "times")
        ),
        Some(all) => format!(
            "{}, {} of them contended ({})",
            counted(all, "time", "times"),
            count(lock.contended),
            share(lock.contended, all)
        ),
    };
    if let Some(readers) = lock.read_acquisitions {
        let _ = write!(acquired, "; {} as a reader", count(readers));
    }
    for (number, what) in [
        (lock.try_failed.unwrap_or(0), "attempts found it taken"),
        (lock.timed_out, "waits ended by their deadline"),
    ] {
        if number > 0 {
            let _ = write!(acquired, "; {} {what}", count(number));
        }
    }
    line(page, "acquired", &acquired, width)?;
    if let Some(takers) = takers(lock) {
        line(page, "by", &takers, width)?;
    }
    if let Some(unended) = unended::of(lock) {
        line(page, "waiting", &unended, width)?;
    }
    line(page, "waited", &waited(profile, lock), width)?;
    if let Some(split) = &lock.wait_split {
        let text = blame::waiting(split);
        let switches = (split.voluntary_switches, split.involuntary_switches);
        let examined = match split.examined {
            0 if split.spinning_ns.is_none() => "spinning is not part of these waits".to_owned(),
            0 => "no wait was examined for context switches".to_owned(),
            some => format!(
                "context switches in {}: {} voluntary, {} involuntary",
                counted(some, "wait examined", "waits examined"),
                count(switches.0),
                count(switches.1),
            ),
        };
        let text = text.strip_prefix("waits: ").unwrap_or(&text);
        line(page, "", &format!("{text}; {examined}"), width)?;
    }
    match (&lock.hold_ns, profile.source) {
        (Some(hold), _) => line(page, "held", &held(profile, lock, hold), width)?,
        (None, Source::Record) => line(page, "held", "not measured", width)?,
        // The last lines say that `attach` sees no hold times.
        (None, Source::Attach) => {}
    }
    if let Some(text) = lock
        .while_held
        .as_ref()
        .and_then(|held| blame::holding(held, true))
    {
        line(page, "", &text, width)?;
    }
    if let Some(text) = lock.preemption.as_ref().and_then(preempted::of_lock) {
        line(page, "", &text, width)?;
    }
    if lock.recorder_dominates {
        line(
            page,
            "",
            "held for less time than recording takes: trust the count, not the duration",
            width,
        )?;
    }
    Ok(())
}

/// Says how long waits were and, for waits that had not ended, how long they had lasted.
fn waited(profile: &Profile, lock: &Lock) -> String {
    let part = match profile.thread_time_ns {
        0 => String::new(),
        whole_ns => format!(
            ", {} of the threads' time",
            share(lock.waited_ns(), whole_ns)
        ),
    };
    let so_far = duration(lock.still_waiting_ns as f64);
    match (lock.contended, lock.still_waiting) {
        (_, 0) => lengths(&lock.wait_ns, &part),
        (0, _) => format!("{so_far} so far{part}; no wait had ended"),
        _ => format!(
            "{}; with {so_far} of waits that had not ended{part}",
            lengths(&lock.wait_ns, "")
        ),
    }
}

fn held(profile: &Profile, lock: &Lock, hold: &HoldTimes) -> String {
    if hold.sampled == 0 {
        return "no hold that was timed had ended".to_owned();
    }
    let mut text = duration(hold.total as f64);
    // Readers hold it together, and many locks are held at once: then the share of the run is left out.
    if lock.instances == 1 && lock.read_acquisitions.is_none() && hold.total <= profile.duration_ns
    {
        let busy = share(hold.total, profile.duration_ns);
        let _ = write!(text, ", {busy} of the run");
    }
    let _ = write!(
        text,
        "; half of the holds up to {}, 99 in 100 up to {}, the longest {}; {} timed",
        duration(hold.p50),
        duration(hold.p99),
        duration(hold.max as f64),
        counted(hold.sampled, "hold", "holds"),
    );
    text
}

fn waits_for_signal(
    page: &mut String,
    lock: &Lock,
    signal: &SignalWaits,
    width: usize,
) -> fmt::Result {
    let calls = match signal.waits {
        Some(waits) => format!(
            "{}, {} of them had to wait",
            counted(waits, "call", "calls"),
            count(signal.blocked)
        ),
        None => format!(
            "{} had to wait (the others are not seen)",
            counted(signal.blocked, "call", "calls")
        ),
    };
    line(page, "waits", &calls, width)?;
    if let Some(unended) = unended::of(lock) {
        line(page, "waiting", &unended, width)?;
    }
    line(page, "waited", &lengths(&signal.wait_ns, ""), width)?;
    if lock.kind == locktoll_results::profile::LockKind::Condvar
        && let Some(relock_ns) = signal.relock_ns
    {
        let relock = format!(
            "{} from the last signal to the return: waking up and acquiring the mutex again",
            duration(relock_ns as f64)
        );
        line(page, "re-lock", &relock, width)?;
    }
    if let (Some(signals), Some(broadcasts)) = (signal.signals, signal.broadcasts) {
        let calls = format!(
            "{}, {}",
            counted(signals, "signal", "signals"),
            counted(broadcasts, "broadcast", "broadcasts")
        );
        line(page, "signalled", &calls, width)?;
    }
    Ok(())
}

/// Gives the sum of all waits with a remark on it, then their lengths.
fn lengths(wait: &WaitTimes, remark: &str) -> String {
    let total = duration(wait.total as f64);
    match (wait.p50, wait.p99, wait.max) {
        (Some(p50), Some(p99), Some(max)) => format!(
            "{total}{remark}; half of the waits up to {}, 99 in 100 up to {}, the longest {}",
            duration(p50),
            duration(p99),
            duration(max as f64)
        ),
        _ => format!("{total}{remark}"),
    }
}

fn members(page: &mut String, profile: &Profile, lock: &Lock, width: usize) -> fmt::Result {
    section(page, "The most expensive single locks")?;
    let mut table = Table::new("lock", 30);
    let members = &lock.members;
    let time = |ns: u64| duration(ns as f64);
    table.column("wait", 0, members.iter().map(|it| time(it.wait_ns)));
    table.column("contended", 0, members.iter().map(|it| count(it.contended)));
    table.column(
        "acquired",
        0,
        members.iter().map(|it| known(it.acquisitions, count)),
    );
    table.column("held", 1, members.iter().map(|it| known(it.hold_ns, time)));
    let process = |pid: u32| match profile.processes.len() {
        ..=1 => String::new(),
        _ => format!(" of process {pid}"),
    };
    table.names(members.iter().map(|member| Name {
        text: match member.offset {
            Some(offset) => format!("+{offset:#x}"),
            None => format!("{:#x}", member.address),
        },
        remark: match member.offset {
            Some(_) => format!(" at {:#x}{}", member.address, process(member.pid)),
            // An address is reused again and again; this distinguishes the locks that used it.
            None => format!(" (lock {}{})", member.generation, process(member.pid)),
        },
    }));
    table.write(page, width, 2)?;
    let hidden = lock.instances.saturating_sub(members.len() as u64);
    if hidden > 0 {
        writeln!(page, "  {FAINT}... and {} more{FAINT:#}", count(hidden))?;
    }
    Ok(())
}
