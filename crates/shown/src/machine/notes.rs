//! The notes below the tables: Java, counters, scheduling, and the reliability of all figures.

use std::fmt::Write;

use anstyle::{Effects, Style};
use locktoll_lab::probe::{Counters, Java, LockPrice, Part, Scheduling};

use super::park_misses::park_misses_line;
use locktoll_results::machine::MachineResult;
use locktoll_terminal::fold::folded;
use locktoll_terminal::quantity::{price, rate};

const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// Writes everything that is said once.
pub fn notes(page: &mut String, result: &MachineResult, width: usize) -> std::fmt::Result {
    let prices = &result.prices;
    if let Some(java) = &prices.java {
        folded(page, "", &java_line(java), width)?;
    }
    if let Some(counters) = &prices.counters {
        folded(page, "", &counters_line(counters), width)?;
    }
    if let Some(parks) = &prices.park_misses {
        folded(page, "", &park_misses_line(parks), width)?;
    }
    if !prices.scheduling.policy.is_empty() {
        folded(page, "", &scheduling_line(&prices.scheduling), width)?;
    }
    for (note, titles) in notes_of_parts(&prices.parts) {
        match titles.len() {
            1..=MOST_TITLES => {
                for title in titles {
                    folded(page, "* ", &format!("{title}: {note}"), width)?;
                }
            }
            many => folded(page, "* ", &format!("{many} of these lines: {note}"), width)?,
        }
    }
    let mut words = String::new();
    folded(
        &mut words,
        "",
        &format!(
            "Medians. {} Locks: {}.",
            how_switches(&prices.parts),
            how_locks(&prices.locks)
        ),
        width,
    )?;
    writeln!(page, "{FAINT}{}{FAINT:#}", words.trim_end())?;
    for warning in &result.noise.warnings {
        folded(page, "", &format!("Warning: {warning}"), width)?;
    }
    if result.partial {
        writeln!(page, "PARTIAL: interrupted before the last probe.")?;
    }
    Ok(())
}

/// If more lines than this share a note, it is shown once.
const MOST_TITLES: usize = 3;

/// Returns each note once, with the lines that it applies to, in the order of the list.
fn notes_of_parts(parts: &[Part]) -> Vec<(&str, Vec<&str>)> {
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for part in parts {
        let Some(note) = part.note.as_deref() else {
            continue;
        };
        let shared = parts.iter().filter(|it| it.note == part.note).count() > MOST_TITLES;
        match notes.iter_mut().find(|(known, _)| shared && *known == note) {
            Some((_, titles)) => titles.push(&part.title),
            None => notes.push((note, vec![&part.title])),
        }
    }
    notes
}

/// Explains the switches in the list.
fn how_switches(parts: &[Part]) -> &'static str {
    let uncounted = |part: &Part| {
        part.value.is_some()
            && part.switches_expected.is_some_and(|number| number > 0.0)
            && part.switches_counted.is_none()
    };
    match parts.iter().any(uncounted) {
        false => {
            "Switches: the kernel's count per operation. A figure is left out if its count is off by more than 2 %, or if a \
             system call that must not switch did so more than twice in a batch. Memory operations, cache lines between CPUs \
             and locks are timed without such a count."
        }
        true => {
            "This system does not count a thread's switches, so no figure could be checked against a count; only yields report \
             whether they switched."
        }
    }
}

/// Explains the prices of locks.
fn how_locks(locks: &[LockPrice]) -> String {
    let by_wall_clock = locks.iter().any(|lock| lock.by_wall_clock);
    let time = match by_wall_clock {
        false => "CPU time",
        true => "wall time, since CPU time is accounted too coarsely here",
    };
    let counted = |lock: &LockPrice| lock.kernel_entries_per_op.is_some();
    let calls = match by_wall_clock && !locks.iter().any(counted) {
        false => "are counted by stopping at each",
        true => "are not reported by this system",
    };
    format!("{time} minus the empty loop of the same round; their system calls {calls}")
}

fn java_line(java: &Java) -> String {
    let Some(version) = &java.version else {
        let reason = java.refused.as_deref().unwrap_or("no JDK found");
        return format!("Java: {reason}.");
    };
    let figures: Vec<String> = [
        ("park/unpark one way", java.park_unpark_ns),
        ("synchronized, uncontended", java.synchronized_ns),
        ("ReentrantLock, uncontended", java.reentrant_lock_ns),
    ]
    .into_iter()
    .filter_map(|(what, ns)| Some(format!("{what} {}", price(ns?.median))))
    .collect();
    match (figures.is_empty(), &java.refused) {
        (false, None) => format!("Java {version}: {}.", figures.join(", ")),
        (false, Some(reason)) => {
            format!("Java {version}: {}; refused: {reason}.", figures.join(", "))
        }
        (true, Some(reason)) => format!("Java {version}: {reason}."),
        (true, None) => format!("Java {version}: not measured."),
    }
}

fn counters_line(counters: &Counters) -> String {
    if !counters.available {
        let reason = counters.refused.as_deref().unwrap_or("not given");
        return format!("Hardware counters: not available: {reason}.");
    }
    let misses = |what, count: Option<locktoll_lab::stats::Estimate>| {
        Some(format!("{} {what}", rate(count?.median)))
    };
    let seen: Vec<String> = [
        misses(
            "misses in the last-level cache",
            counters.cache_misses_per_switch,
        ),
        misses("misses in the data TLB", counters.tlb_misses_per_switch),
    ]
    .into_iter()
    .flatten()
    .collect();
    let reason = match &counters.refused {
        Some(reason) => format!(": {reason}"),
        None => String::new(),
    };
    match seen.len() {
        0 => format!("Hardware counters: present, but without a figure for misses{reason}."),
        some => {
            let without = match (some, reason.as_str()) {
                (2, "") => String::new(),
                _ => format!("; the rest without a figure{reason}"),
            };
            let seen = seen.join(", ");
            format!("Hardware counters, for one switch between own working sets: {seen}{without}.")
        }
    }
}

fn scheduling_line(scheduling: &Scheduling) -> String {
    let mut line = format!("Probes ran under {}", scheduling.policy);
    if let Some(reason) = &scheduling.refused {
        let wanted = match scheduling.policy.starts_with("THREAD_PRIORITY") {
            true => "THREAD_PRIORITY_TIME_CRITICAL",
            false => "SCHED_FIFO",
        };
        let _ = write!(line, " (not {wanted}: {reason})");
    }
    if let Some(share) = scheduling.realtime_share {
        let _ = write!(
            line,
            "; real-time threads get at most {:.0} % of each period",
            share * 100.0
        );
    }
    line.push('.');
    line
}
